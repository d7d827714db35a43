// Memory in pieces of eight bytes (*granules*): accesses are compared by granule, with a bit for each byte.
#pragma once

#include <cstdint>

namespace heddle::trace {

inline constexpr uint64_t kGranuleBytes = 8;

}  // namespace heddle::trace
