// The memory that input and output reads and writes, as seen by the shadow.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// The first `size` bytes of these blocks are read (by an output call) or written (by an input call).
void note_blocks(const iovec* blocks, int count, size_t size, bool write, uintptr_t pc);

}  // namespace heddle::rt
