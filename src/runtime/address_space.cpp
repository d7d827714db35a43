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
inline constexpr uintptr_t kSmallEnd = kTablesBase + kMegabyte / 2;
Pool small_pieces{kTablesBase, kSmallEnd};
Pool tables{kSmallEnd, kRegionEnd};
Pool far_tables{kFarTablesBase, kShadowBase};

inline constexpr size_t kLargestNear = 16 * kMegabyte;

void* take_small(size_t size) {
  constexpr size_t kMore = 64 * 1024;
  if (void* result = small_pieces.take(size, kCacheLine)) return result;
  const auto more = reinterpret_cast<uintptr_t>(tables.take(kMore, kPage));
  if (more == 0) return nullptr;
  small_pieces = {more, more + kMore};
  return small_pieces.take(size, kCacheLine);
}

void advise(uintptr_t begin, uintptr_t end, int advice) {
  sys_call(SYS_madvise, static_cast<long>(begin), static_cast<long>(end - begin), advice);
}

}  // namespace

void reserve_address_space() {
  void* const begin = reinterpret_cast<void*>(kRegionBegin);
  if (sys_map(kRegionEnd - kRegionBegin, MAP_FIXED_NOREPLACE, begin) != begin) {
    give_up("cannot reserve its part of the address space; `heddle doctor` says what limits it");
  }
  advise(kRegionBegin, kRegionEnd, MADV_NOHUGEPAGE);
  advise(kRegionBegin, kRegionEnd, MADV_DONTDUMP);
}

void dump_threads() {
  advise(kStacksBase, kRegionEnd, MADV_DODUMP);
}

void* own_memory(size_t size) {
  void* result = nullptr;
  if (size <= kPage) result = take_small(size);
  if (result == nullptr && size <= kLargestNear) result = tables.take(size, kPage);
  if (result == nullptr) result = far_tables.take(size, kPage);
  if (result == nullptr) give_up("its tables have outgrown the address space reserved for them");
  return result;
}

void drop_own_memory(void* memory, size_t size) {
  if (size < 65536) return;  // not worth a system call
  sys_call(SYS_madvise, reinterpret_cast<long>(memory), static_cast<long>(size), MADV_DONTNEED);
}

}  // namespace heddle::rt
