// Quarantine: freed blocks are kept for a while when races are detected, so that who still uses one is seen,
// not the next owner of the memory suspected.
#pragma once

#include <cstddef>

namespace heddle::rt {

// Keeps `block` of `size` bytes; returns one to free now instead (perhaps the same), or null.
void* quarantine(void* block, size_t size);

}  // namespace heddle::rt
