// How soon an order of tests reveals what there is to reveal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::select {

// The average percentage of faults detected: 100 (1 − ΣTRi / (n m) + 1 / (2 n)), where TRi is the position,
// from 1, of the first test that reveals fault i. Of no faults, or no tests, it is 0.
double apfd(size_t tests, const std::vector<uint32_t>& first_positions);

}  // namespace heddle::select
