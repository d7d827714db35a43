// Replaces system call instructions of a program by jumps to the imitation of Linux: a jump takes some
// nanoseconds, the signal that seccomp makes of an instruction over a thousand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "support/error.h"

namespace heddle::fast {

// The code behind heddle_fast_ready() of a zone: where main() is to jump to.
uint64_t ready_patch(uint64_t zone);

// Before anything else is patched.
void prepare_patches(uint64_t zone);

// In all code of the zone; returns how many there were. What does not look like glibc's way to make a call is
// left to seccomp.
Expected<size_t> patch_calls(uint64_t zone);

}  // namespace heddle::fast
