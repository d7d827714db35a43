// Where a program says that it has come to a block, whether it has or not.
//
// Block coverage is a call at the beginning of each block. Compilers add it when they have put blocks
// together, so a statement under a condition may have none. What an execution shows tells only of blocks that
// were reached; of the others the program tells: its code has the same call there.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace heddle {

// `reached`: positions in the module, as in the sites of a trace, some of which are such calls. All calls of
// the same functions, in their order. Nothing if the file cannot be read.
std::vector<uint64_t> coverage_points(const std::string& module, const std::set<uint64_t>& reached);

}  // namespace heddle
