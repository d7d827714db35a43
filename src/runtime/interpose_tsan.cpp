// The entry points that -fsanitize=thread calls for accesses and functions.
#include "runtime/access.h"
#include "runtime/runtime.h"
#include "runtime/sync.h"
#include "runtime/threads.h"

using namespace heddle::rt;
namespace flag = heddle::trace::event_flag;

#define HEDDLE_ACCESS(name, size, write)                                                               \
  HEDDLE_EXPORT void __tsan_##name(void* address) {                                                    \
    memory_access<size, write>(reinterpret_cast<uintptr_t>(address), HEDDLE_CALLER_PC);                \
  }                                                                                                    \
  HEDDLE_EXPORT void __tsan_##name##_pc(void* address, void* pc) {                                     \
    memory_access<size, write>(reinterpret_cast<uintptr_t>(address), reinterpret_cast<uintptr_t>(pc)); \
  }
HEDDLE_ACCESS(read1, 1, false)
HEDDLE_ACCESS(read2, 2, false)
HEDDLE_ACCESS(read4, 4, false)
HEDDLE_ACCESS(read8, 8, false)
HEDDLE_ACCESS(write1, 1, true)
HEDDLE_ACCESS(write2, 2, true)
HEDDLE_ACCESS(write4, 4, true)
HEDDLE_ACCESS(write8, 8, true)
#undef HEDDLE_ACCESS

// Accesses that may span several granules: the inline check of all, then the slow path for the whole.
namespace {
template <bool kIsWrite>
inline __attribute__((always_inline)) void wide_access(void* pointer, uint32_t size, uintptr_t pc) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  bool all_pass = passes<kIsWrite>(stamp_of(address)) && passes<kIsWrite>(stamp_of(address + size - 1));
  if (size == 16) all_pass &= passes<kIsWrite>(stamp_of(address + 8));  // unaligned, it spans three granules
  if (HEDDLE_LIKELY(all_pass) && HEDDLE_LIKELY(--quantum_left != 0)) return;
  access_slow(address, pc, {size, 0, kIsWrite});
}
}  // namespace

#define HEDDLE_WIDE(name, size, write)                   \
  HEDDLE_EXPORT void __tsan_##name(void* address) {      \
    wide_access<write>(address, size, HEDDLE_CALLER_PC); \
  }
HEDDLE_WIDE(read16, 16, false)
HEDDLE_WIDE(write16, 16, true)
HEDDLE_WIDE(unaligned_read2, 2, false)
HEDDLE_WIDE(unaligned_read4, 4, false)
HEDDLE_WIDE(unaligned_read8, 8, false)
HEDDLE_WIDE(unaligned_read16, 16, false)
HEDDLE_WIDE(unaligned_write2, 2, true)
HEDDLE_WIDE(unaligned_write4, 4, true)
HEDDLE_WIDE(unaligned_write8, 8, true)
HEDDLE_WIDE(unaligned_write16, 16, true)
// clang -mllvm -tsan-compound-read-before-write and volatile variants.
HEDDLE_WIDE(volatile_read1, 1, false)
HEDDLE_WIDE(volatile_read2, 2, false)
HEDDLE_WIDE(volatile_read4, 4, false)
HEDDLE_WIDE(volatile_read8, 8, false)
HEDDLE_WIDE(volatile_read16, 16, false)
HEDDLE_WIDE(volatile_write1, 1, true)
HEDDLE_WIDE(volatile_write2, 2, true)
HEDDLE_WIDE(volatile_write4, 4, true)
HEDDLE_WIDE(volatile_write8, 8, true)
HEDDLE_WIDE(volatile_write16, 16, true)
HEDDLE_WIDE(unaligned_volatile_read2, 2, false)
HEDDLE_WIDE(unaligned_volatile_read4, 4, false)
HEDDLE_WIDE(unaligned_volatile_read8, 8, false)
HEDDLE_WIDE(unaligned_volatile_read16, 16, false)
HEDDLE_WIDE(unaligned_volatile_write2, 2, true)
HEDDLE_WIDE(unaligned_volatile_write4, 4, true)
HEDDLE_WIDE(unaligned_volatile_write8, 8, true)
HEDDLE_WIDE(unaligned_volatile_write16, 16, true)
#undef HEDDLE_WIDE

HEDDLE_EXPORT void __tsan_read16_pc(void* address, void* pc) {
  wide_access<false>(address, 16, reinterpret_cast<uintptr_t>(pc));
}
HEDDLE_EXPORT void __tsan_write16_pc(void* address, void* pc) {
  wide_access<true>(address, 16, reinterpret_cast<uintptr_t>(pc));
}

#define HEDDLE_READ_WRITE(name, size)                    \
  HEDDLE_EXPORT void __tsan_##name(void* address) {      \
    wide_access<false>(address, size, HEDDLE_CALLER_PC); \
    wide_access<true>(address, size, HEDDLE_CALLER_PC);  \
  }
HEDDLE_READ_WRITE(read_write1, 1)
HEDDLE_READ_WRITE(read_write2, 2)
HEDDLE_READ_WRITE(read_write4, 4)
HEDDLE_READ_WRITE(read_write8, 8)
HEDDLE_READ_WRITE(read_write16, 16)
HEDDLE_READ_WRITE(unaligned_read_write2, 2)
HEDDLE_READ_WRITE(unaligned_read_write4, 4)
HEDDLE_READ_WRITE(unaligned_read_write8, 8)
HEDDLE_READ_WRITE(unaligned_read_write16, 16)
#undef HEDDLE_READ_WRITE

HEDDLE_EXPORT void __tsan_read_range(void* address, unsigned long size) {
  access_range(reinterpret_cast<uintptr_t>(address), size, false, HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void __tsan_write_range(void* address, unsigned long size) {
  access_range(reinterpret_cast<uintptr_t>(address), size, true, HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void __tsan_read_range_pc(void* address, unsigned long size, void* pc) {
  access_range(reinterpret_cast<uintptr_t>(address), size, false, reinterpret_cast<uintptr_t>(pc));
}
HEDDLE_EXPORT void __tsan_write_range_pc(void* address, unsigned long size, void* pc) {
  access_range(reinterpret_cast<uintptr_t>(address), size, true, reinterpret_cast<uintptr_t>(pc));
}

HEDDLE_EXPORT void __tsan_vptr_read(void** address) {
  memory_access<8, false>(reinterpret_cast<uintptr_t>(address), HEDDLE_CALLER_PC, flag::kVptr);
}
HEDDLE_EXPORT void __tsan_vptr_update(void** address, void* value) {
  if (*address == value) return;  // a base class's destructor storing what is there already
  memory_access<8, true>(reinterpret_cast<uintptr_t>(address), HEDDLE_CALLER_PC, flag::kVptr);
}

// The shadow call stack. A frame's stack pointer lies below its caller's; frames that longjmp has left behind
// are recognised by that and dropped.
HEDDLE_EXPORT void __tsan_func_entry(void* call_pc) {
  Fiber* self = rt.current;
  if (HEDDLE_UNLIKELY(self == nullptr)) return;
  const auto sp = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  size_t depth = self->depth;
  if (HEDDLE_UNLIKELY(depth >= self->frame_room)) {
    if (depth >= kMaxFrames) {
      self->depth = depth + 1;
      return;
    }
    grow_frames(self);
  }
  Frame* frames = self->frames;
  while (depth > 0 && HEDDLE_UNLIKELY(frames[depth - 1].sp <= sp)) --depth;
  frames[depth] = {reinterpret_cast<uintptr_t>(call_pc), sp, 0, 0, 0};
  self->depth = depth + 1;
}

HEDDLE_EXPORT void __tsan_func_exit() {
  Fiber* self = rt.current;
  if (HEDDLE_UNLIKELY(self == nullptr) || self->depth == 0) return;
  self->depth--;
}

HEDDLE_EXPORT void __tsan_init() {
  init_memory();
  rt.instrumented = true;
  if (rt.arena != nullptr) rt.arena->saw_instrumented = 1;
}
HEDDLE_EXPORT void __tsan_flush_memory() {}
HEDDLE_EXPORT void __tsan_on_thread_idle() {}
HEDDLE_EXPORT void __tsan_check_no_mutexes_held() {}
HEDDLE_EXPORT void __tsan_external_read(void* address, void*, void*) {
  memory_access<1, false>(reinterpret_cast<uintptr_t>(address), HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void __tsan_external_write(void* address, void*, void*) {
  memory_access<1, true>(reinterpret_cast<uintptr_t>(address), HEDDLE_CALLER_PC);
}
HEDDLE_EXPORT void* __tsan_external_register_tag(const char*) {
  return nullptr;
}
HEDDLE_EXPORT void __tsan_external_assign_tag(void*, void*) {}
