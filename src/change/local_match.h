// Which local of the new version is which of the old one, judged before any statement has been matched: equal
// names are taken to be the same; what is left is compared by how it is used.
#pragma once

#include <vector>

#include "change/statement_index.h"

namespace heddle {

// For each local of `after` the word by which statements are compared: the name it had in `before`.
std::vector<uint32_t> old_names_of_locals(const IndexedFunction& before, const IndexedFunction& after,
                                          WordTable& words);

}  // namespace heddle
