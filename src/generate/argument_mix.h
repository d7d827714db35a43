// Which arguments to combine, when all combinations would be too many.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle::generate {

// Rows of one index into each pool. The first row has the first of each; then every pair of arguments of two
// parameters comes together at least once, best ones first, until there are `most` rows.
std::vector<std::vector<size_t>> mix_arguments(const std::vector<size_t>& pool_sizes, size_t most);

}  // namespace heddle::generate
