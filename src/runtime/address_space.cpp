#include "runtime/address_space.h"

#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

inline constexpr size_t kPage = 4096;
inline constexpr size_t kCacheLine = 64;

// Hands out one part of the address space from its beginning.
struct Pool {
  uintptr_t next;
  uintptr_t end;

  void* take(size_t size, size_t alignment) {
    const size_t rounded = (size + alignment - 1) & ~(alignment - 1);
    if (rounded > end - next) return nullptr;
    void* const result = reinterpret_cast<void*>(next);
    next += rounded;
    return result;
  }
};

// Small pieces share pages: each execution of the fork server pays for every page it touches.
Pool small_pieces;
Pool near_tables;
Pool far_tables{kFarTablesBase, kFarTablesBase + kFarTablesSize};
uintptr_t near_begin;

inline constexpr size_t kSmallPiecesSize = kMegabyte / 2;
inline constexpr size_t kLargestNear = 16 * kMegabyte;

bool reserve(uintptr_t begin, size_t size) {
  void* const where = reinterpret_cast<void*>(begin);
  if (sys_map(size, MAP_FIXED_NOREPLACE, where) != where) return false;
  sys_call(SYS_madvise, static_cast<long>(begin), static_cast<long>(size), MADV_NOHUGEPAGE);
  sys_call(SYS_madvise, static_cast<long>(begin), static_cast<long>(size), MADV_DONTDUMP);
  return true;
}

}  // namespace

void reserve_address_space() {
  if (!reserve(kRegionBegin, kRegionEnd - kRegionBegin)) {
    give_up("cannot reserve its part of the address space; `heddle doctor` says what limits it");
  }
  near_begin = kNearBase;
  if (!reserve(kNearBase, kNearSize)) {
    // A program that is linked to be there.
    near_begin = reinterpret_cast<uintptr_t>(far_tables.take(kNearSize, kPage));
  }
  const uintptr_t tables = near_begin + kNearStacksSize;
  small_pieces = {tables, tables + kSmallPiecesSize};
  near_tables = {tables + kSmallPiecesSize, tables + kNearTablesSize};
}

uintptr_t near_base() {
  return near_begin;
}

void* own_memory(size_t size) {
  void* result = nullptr;
  if (size <= kPage) result = small_pieces.take(size, kCacheLine);
  if (result == nullptr && size <= kLargestNear) result = near_tables.take(size, kPage);
  if (result == nullptr) result = far_tables.take(size, kPage);
  if (result == nullptr) give_up("its tables have outgrown the address space reserved for them");
  return result;
}

void drop_own_memory(void* memory, size_t size) {
  if (size < 65536) return;  // not worth a system call
  sys_call(SYS_madvise, reinterpret_cast<long>(memory), static_cast<long>(size), MADV_DONTNEED);
}

}  // namespace heddle::rt
