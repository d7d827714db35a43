// The runtime's own part of the address space.
//
// Everything the runtime maps lies at fixed addresses, far from where the kernel puts the program's mappings.
// So nothing the runtime does or does not do (recording, learning, keeping threads ready) moves the program's
// memory: programs whose behaviour depends on addresses, such as a hash of a thread's id, still replay
// exactly.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/arena.h"

namespace heddle::rt {

inline constexpr uintptr_t kRegionBegin = 0x100000000000;
// Four bytes for 8 of a 46-bit address space, which 47 bits of user space are folded to. That is harmless:
// the parts that programs use (executables and heaps at the start or two thirds up, mappings and stacks at
// the end, threads' stacks below) do not meet unless there are terabytes of them.
inline constexpr uintptr_t kShadowBase = kRegionBegin;
inline constexpr size_t kShadowSize = size_t{1} << 45;
inline constexpr uintptr_t kStacksBase =
    kShadowBase + kShadowSize;  // stacks of threads, see thread_shell.cpp
inline constexpr size_t kStacksSize = size_t{1} << 43;
inline constexpr uintptr_t kOwnBase = kStacksBase + kStacksSize;  // tables
inline constexpr size_t kOwnSize = size_t{1} << 43;
inline constexpr uintptr_t kRegionEnd = kOwnBase + kOwnSize;
static_assert(kRegionEnd - kRegionBegin == trace::kReservedAddressSpace);
inline constexpr uintptr_t kArenaBase = kRegionEnd;  // the tool's shared memory

// Reserves it all, once. Only touched pages cost memory.
void reserve_address_space();

// Zeroed memory that lasts as long as the process. Never fails.
void* own_memory(size_t size);
// The pages are not needed any more (their addresses are not used again).
void drop_own_memory(void* memory, size_t size);

}  // namespace heddle::rt
