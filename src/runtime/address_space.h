// The runtime's own part of the address space.
//
// Everything the runtime maps lies at fixed addresses, where the kernel puts nothing of the program's. So
// nothing the runtime does or does not do (recording, learning, keeping threads ready) moves the program's
// memory: programs whose behaviour depends on addresses, such as a hash of a thread's id, still replay
// exactly.
//
// Where things lie also decides what an execution costs: a child of the fork server pays for every page table
// it needs, at each level (they stand for 2 MB, 1 GB and 512 GB), and more than for a page. The program
// itself needs some at 0x555555554000, where a position-independent executable lies without randomisation and
// above which it lies with it. So what every execution touches lies just below: the end of the shadow, which
// describes the main stack, then thread stacks, the front of the arena, and tables. The shadow of the stacks
// is beside that of the heap.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/runtime.h"
#include "trace/arena.h"

namespace heddle::rt {

inline constexpr size_t kMegabyte = size_t{1} << 20;

// From the end of the region, which leaves room for programs with a large alignment.
inline constexpr uintptr_t kRegionEnd = 0x555554000000;
inline constexpr size_t kTablesSize = 63 * kMegabyte - trace::kArenaHeaderRoom;
inline constexpr uintptr_t kTablesBase = kRegionEnd - kTablesSize;
inline constexpr uintptr_t kArenaFront = kTablesBase - trace::kArenaHeaderRoom;
inline constexpr size_t kStacksSize = 161 * kMegabyte;  // see thread_shell.cpp
inline constexpr uintptr_t kStacksBase = kArenaFront - kStacksSize;
// Four bytes for 8 of a 46-bit address space, which 47 bits of user space are folded to. That is harmless:
// the parts that programs use (the executable and its heap at the start or here, mappings and stacks at the
// end) do not meet unless there are terabytes of them.
inline constexpr size_t kShadowSize = size_t{1} << 45;
inline constexpr uintptr_t kShadowBase = kStacksBase - kShadowSize;

// For what does not fit there: more threads than usual, large tables.
inline constexpr size_t kFarTablesSize = size_t{1} << 41;
inline constexpr uintptr_t kFarTablesBase = kShadowBase - kFarTablesSize;
inline constexpr size_t kFarStacksSize = size_t{1} << 41;
inline constexpr uintptr_t kFarStacksBase = kFarTablesBase - kFarStacksSize;

inline constexpr uintptr_t kRegionBegin = kFarStacksBase;
static_assert(kRegionEnd - kRegionBegin <= trace::kReservedAddressSpace);

// The tool's shared memory as a whole: between the program and its libraries.
inline constexpr uintptr_t kArenaBase = 0x600000000000;

// Reserves it all, but for the arena, once. Only touched pages cost memory.
void reserve_address_space();
// Core files, which have nothing of it, shall have what a debugger needs to show the threads: stacks and
// tables, but for those of very many threads.
void dump_threads();

// Zeroed memory that lasts as long as the process. Never fails.
void* own_memory(size_t size);

// An array that gets its memory when it is first used. An execution of the fork server pays for every page of
// variables that it touches, so large ones are not among them.
template <typename T, size_t kCount>
class LazyArray {
 public:
  T& operator[](size_t i) {
    if (HEDDLE_UNLIKELY(items_ == nullptr)) make();
    return items_[i];
  }
  // Of no elements before the first use.
  T* begin() { return items_; }
  T* end() { return items_ != nullptr ? items_ + kCount : nullptr; }
  void make() {
    init_memory();
    if (items_ == nullptr) items_ = static_cast<T*>(own_memory(kCount * sizeof(T)));
  }

 private:
  T* items_;
};
// The pages are not needed any more (their addresses are not used again).
void drop_own_memory(void* memory, size_t size);

// Memory for values of one type, which can be given back and is taken again. It is not cleared.
template <typename T>
class FreeList {
 public:
  T* take() {
    if (first_ == nullptr) return static_cast<T*>(own_memory(sizeof(Entry)));
    Entry* const entry = first_;
    first_ = entry->next;
    return &entry->value;
  }
  void give_back(T* value) {
    auto* entry = reinterpret_cast<Entry*>(value);
    entry->next = first_;
    first_ = entry;
  }

 private:
  union Entry {
    Entry* next;
    T value;
  };
  Entry* first_ = nullptr;
};

}  // namespace heddle::rt
