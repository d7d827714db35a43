#include "runtime/address_space.h"

#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

uintptr_t next_own = kOwnBase;

void advise(int advice) {
  sys_call(SYS_madvise, static_cast<long>(kRegionBegin), static_cast<long>(kRegionEnd - kRegionBegin),
           advice);
}

}  // namespace

void reserve_address_space() {
  void* const begin = reinterpret_cast<void*>(kRegionBegin);
  if (sys_map(kRegionEnd - kRegionBegin, MAP_FIXED_NOREPLACE, begin) != begin) {
    give_up("cannot reserve 48 TB of address space; `heddle doctor` says what limits it");
  }
  advise(MADV_NOHUGEPAGE);
  advise(MADV_DONTDUMP);
}

// Small pieces share pages: each execution of the fork server pays for every page it touches.
void* own_memory(size_t size) {
  constexpr size_t kPage = 4096;
  constexpr size_t kCacheLine = 64;
  const size_t alignment = size >= kPage ? kPage : kCacheLine;
  next_own = (next_own + alignment - 1) & ~(alignment - 1);
  void* const result = reinterpret_cast<void*>(next_own);
  next_own += size;
  if (next_own > kRegionEnd) give_up("its tables have outgrown the address space reserved for them");
  return result;
}

void drop_own_memory(void* memory, size_t size) {
  if (size < 65536) return;  // not worth a system call
  sys_call(SYS_madvise, reinterpret_cast<long>(memory), static_cast<long>(size), MADV_DONTNEED);
}

}  // namespace heddle::rt
