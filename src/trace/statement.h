// The key of a statement: a place in the program with the innermost calls that led there.
//
// It means the same in every execution, wherever modules are loaded, so that the tool can name statements to
// the runtime, which computes the same key of what a thread is about to do. Calls belong to it because in
// code that is not inlined all locks are taken in one place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::trace {

// Of the calling context, only so much.
inline constexpr size_t kStatementCalls = 5;

// Begin with 0 and the place itself, then add the calls, the innermost first. A place is the module_key() of
// its module (hash.h) and the offset in it; both are 0 if the module is not known.
constexpr uint64_t add_to_statement(uint64_t key, uint64_t module, uint64_t offset) {
  key = (key ^ (module + offset)) * 0x9e3779b97f4a7c15u;
  return key ^ key >> 32;
}

}  // namespace heddle::trace
