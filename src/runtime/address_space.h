// The runtime's own part of the address space.
//
// Everything the runtime maps lies at fixed addresses, far from where the kernel puts the program's mappings.
// So nothing the runtime does or does not do (recording, learning, keeping threads ready) moves the program's
// memory: programs whose behaviour depends on addresses, such as a hash of a thread's id, still replay
// exactly.
//
// Where things lie also decides what an execution costs: a child of the fork server pays for every page table
// it needs, at each level (they stand for 2 MB, 1 GB and 512 GB), and more than for a page. What every
// execution touches is therefore placed around two addresses where page tables are needed anyway:
//   - the end of the shadow, which describes the main stack: the arena follows it;
//   - the program, which a position-independent executable without randomisation has at 0x555555554000: thread
//     stacks and tables lie below it, and their shadow beside that of the heap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/arena.h"

namespace heddle::rt {

inline constexpr size_t kMegabyte = size_t{1} << 20;

// What does not fit below the program.
inline constexpr uintptr_t kRegionBegin = 0x100000000000;
inline constexpr uintptr_t kFarStacksBase = kRegionBegin;
inline constexpr size_t kFarStacksSize = size_t{1} << 41;
inline constexpr uintptr_t kFarTablesBase = kFarStacksBase + kFarStacksSize;
inline constexpr size_t kFarTablesSize = (size_t{1} << 41) + 513 * kMegabyte;

inline constexpr uintptr_t kShadowBase = kFarTablesBase + kFarTablesSize;
inline constexpr size_t kShadowSize = size_t{1} << 44;  // one byte for 8 of a 47-bit address space
inline constexpr uintptr_t kRegionEnd = kShadowBase + kShadowSize;
inline constexpr uintptr_t kArenaBase = kRegionEnd;  // the tool's shared memory
static_assert(kArenaBase % (1024 * kMegabyte) == 513 * kMegabyte);

// Below the program: stacks, which grow down, and tables above them.
inline constexpr uintptr_t kNearBase = 0x555540000000;
inline constexpr size_t kNearStacksSize = 257 * kMegabyte;
inline constexpr size_t kNearTablesSize = 63 * kMegabyte;
inline constexpr size_t kNearSize = kNearStacksSize + kNearTablesSize;
static_assert(kRegionEnd - kRegionBegin + kNearSize <= trace::kReservedAddressSpace);

// Reserves it all, once. Only touched pages cost memory.
void reserve_address_space();

// The lower end of the near part: kNearBase, unless something else lies there.
uintptr_t near_base();

// Zeroed memory that lasts as long as the process. Never fails.
void* own_memory(size_t size);
// The pages are not needed any more (their addresses are not used again).
void drop_own_memory(void* memory, size_t size);

}  // namespace heddle::rt
