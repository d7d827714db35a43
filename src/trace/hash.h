// The 64-bit FNV-1a hash: how names become the keys of scheduling points (PointRecord::key).
//
// The runtime computes the same keys inside the program under test, so this is constexpr arithmetic only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::trace {

inline constexpr uint64_t kFnvBasis = 0xcbf29ce484222325u;
inline constexpr uint64_t kFnvPrime = 0x00000100000001b3u;

// Pass the result of one call as `state` of the next to hash a text in pieces. Beware: the second argument
// after a bare literal is its size, not a state.
constexpr uint64_t fnv1a(const char* text, size_t size, uint64_t state = kFnvBasis) {
  for (size_t i = 0; i < size; ++i) {
    state = (state ^ static_cast<unsigned char>(text[i])) * kFnvPrime;
  }
  return state;
}

constexpr uint64_t fnv1a(std::string_view text, uint64_t state = kFnvBasis) {
  return fnv1a(text.data(), text.size(), state);
}

// The key of a module's globals: its file name without folders, so that it survives a move of the build tree.
constexpr uint64_t module_key(std::string_view path) {
  size_t base = path.size();
  while (base > 0 && path[base - 1] != '/') {
    --base;
  }
  return fnv1a(path.data() + base, path.size() - base);
}

}  // namespace heddle::trace
