// Quarantine: freed blocks are kept for a while when races are detected, so that who still uses one is seen,
// not the next owner of the memory suspected.
#pragma once

#include <cstddef>

namespace heddle::rt {

// Keeps `block` of `size` bytes. The blocks for which there is no room then, perhaps this one, are freed.
void quarantine(void* block, size_t size, void (*free)(void*));

}  // namespace heddle::rt
