// Allocation: every block gets an identity that does not depend on its address, and a fresh shadow.
#include <malloc.h>
#include <sys/mman.h>
#include <cerrno>
#include <cstdlib>
#include <new>

#include "runtime/access.h"
#include "runtime/address_space.h"
#include "runtime/heap.h"
#include "runtime/point_set.h"
#include "runtime/quarantine.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
namespace flag = trace::event_flag;

HEDDLE_REAL Real<void*(size_t)> real_malloc{"malloc"};
HEDDLE_REAL Real<void(void*)> real_free{"free"};
HEDDLE_REAL Real<void*(size_t, size_t)> real_calloc{"calloc"};
HEDDLE_REAL Real<void*(void*, size_t)> real_realloc{"realloc"};
HEDDLE_REAL Real<void*(size_t, size_t)> real_memalign{"memalign"};

// dlsym may allocate while it looks for the real functions: served from here, never freed.
inline constexpr size_t kEarlySize = 64 * 1024;
char* early_memory;
size_t early_used;
bool resolving;

void* early_allocate(size_t size) {
  if (early_memory == nullptr) {
    init_memory();
    early_memory = static_cast<char*>(own_memory(kEarlySize));
  }
  size = (size + 15) & ~size_t{15};
  if (early_used + size > kEarlySize) give_up("the program allocates too much before it is loaded");
  void* result = early_memory + early_used;
  early_used += size;
  return result;
}

bool is_early(const void* block) {
  return block >= early_memory && block < early_memory + early_used;
}

// Looks the real functions up; false while that is under way, when dlsym itself asks for memory.
bool resolve() {
  if (HEDDLE_LIKELY(real_memalign.resolved())) return true;
  if (resolving) return false;
  resolving = true;
  real_malloc.get();
  real_free.get();
  real_calloc.get();
  real_realloc.get();
  real_memalign.get();
  resolving = false;
  return true;
}

// The real operator new asks malloc once more when ours has failed, and shall get the same answer.
HEDDLE_EXECUTION bool failure_was_chosen;
HEDDLE_EXECUTION bool fail_again;

bool fails_by_choice(size_t size, uintptr_t pc) {
  if (!controlled()) return false;
  failure_was_chosen = fail_again || choose_allocation_failure();
  if (HEDDLE_LIKELY(!failure_was_chosen)) return false;
  if (!fail_again) record_failed_allocation(size, pc);
  fail_again = false;
  errno = ENOMEM;
  return true;
}

void* adopt(void* block, size_t size, uintptr_t pc) {
  if (block == nullptr || !controlled()) return block;
  shadow_clear(address_of(block), size);
  HeapObject* object = heap_add(address_of(block), size, trace::ObjectKind::kHeap, pc);
  point_set_apply_to_heap(*object);
  record_allocation(EventKind::kAlloc, object, pc);
  return block;
}

// Freeing memory that other threads have seen is an operation on it like a write: a scheduling point.
// False if the block is not one that can be freed (again): glibc will complain.
bool abandon(void* block, uintptr_t pc) {
  HeapObject* object = heap_find_start(address_of(block));
  if (object == nullptr || object->freed) return false;
  const bool looks = rt.live_count > 1 || detecting();
  const bool shared = looks && free_is_point(object->base, object->size, pc) && rt.live_count > 1;
  if (shared) {
    const uint32_t size = object->size > ~0u ? ~0u : static_cast<uint32_t>(object->size);
    simple_point(EventKind::kFree, address_of(block), pc, /*yields=*/false, size);
    object = heap_find_start(address_of(block));
    if (object == nullptr || object->freed) return false;  // another thread was faster
    spin_wake(object->base, object->size);
    spin_note_progress();
  }
  record_allocation(EventKind::kFree, object, pc, shared ? flag::kPoint : 0);
  shadow_freed(object->base, object->size, pc);
  object->freed = true;
  return true;
}

void discard(void* block, uintptr_t pc) {
  if (!controlled()) return real_free(block);
  const bool freed = abandon(block, pc);
  if (!detecting()) return real_free(block);
  if (freed) {
    // Never less than what the program may have used.
    quarantine(block, malloc_usable_size(block), [](void* leaving) { real_free(leaving); });
    return;
  }
  real_free(block);
  if (heap_find_start(address_of(block)) != nullptr) real_free(block);  // it was kept back the first time
}

void* allocate(size_t size, uintptr_t pc) {
  if (HEDDLE_UNLIKELY(!resolve())) return early_allocate(size);
  if (HEDDLE_UNLIKELY(fails_by_choice(size, pc))) return nullptr;
  return adopt(real_malloc(size), size, pc);
}

void release(void* block, uintptr_t pc) {
  if (block == nullptr || is_early(block)) return;
  discard(block, pc);
}

void* allocate_aligned(size_t alignment, size_t size, uintptr_t pc) {
  if (HEDDLE_UNLIKELY(!resolve())) return early_allocate(size);
  if (HEDDLE_UNLIKELY(fails_by_choice(size, pc))) return nullptr;
  return adopt(real_memalign(alignment, size), size, pc);
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT void* malloc(size_t size) {
  return allocate(size, HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT void free(void* block) {
  release(block, HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT void* calloc(size_t count, size_t size) {
  if (HEDDLE_UNLIKELY(!resolve())) return early_allocate(count * size);  // static memory is zero
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  if (HEDDLE_UNLIKELY(fails_by_choice(count * size, pc))) return nullptr;
  return adopt(real_calloc(count, size), count * size, pc);
}

HEDDLE_EXPORT void* realloc(void* block, size_t size) {
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  if (block == nullptr) return allocate(size, pc);
  if (is_early(block)) {
    void* fresh = allocate(size, pc);
    const size_t left = static_cast<size_t>(early_memory + early_used - static_cast<char*>(block));
    if (fresh != nullptr) copy_bytes(fresh, block, size < left ? size : left);
    return fresh;
  }
  if (!controlled()) return real_realloc(block, size);
  // If it fails the old block lives on, so the memory must be had first.
  if (size == 0) {
    release(block, pc);
    return nullptr;
  }
  if (HEDDLE_UNLIKELY(fails_by_choice(size, pc))) return nullptr;
  void* fresh = real_malloc(size);
  if (fresh == nullptr) return nullptr;
  const size_t old_size = malloc_usable_size(block);
  copy_bytes(fresh, block, size < old_size ? size : old_size);
  adopt(fresh, size, pc);
  discard(block, pc);
  return fresh;
}

HEDDLE_EXPORT void* memalign(size_t alignment, size_t size) {
  return allocate_aligned(alignment, size, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT void* aligned_alloc(size_t alignment, size_t size) {
  return allocate_aligned(alignment, size, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT void* valloc(size_t size) {
  return allocate_aligned(4096, size, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int posix_memalign(void** result, size_t alignment, size_t size) {
  if (alignment < sizeof(void*) || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* block = allocate_aligned(alignment, size, HEDDLE_PROGRAM_PC);
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}

// operator new and delete, so that the allocation site is the program's, not libstdc++'s. When memory runs
// out, the real operator decides: it calls the new-handler and throws.
#define HEDDLE_NEW(symbol, parameters, arguments, allocation) \
  HEDDLE_EXPORT void* symbol parameters {                     \
    if (void* block = allocation) return block;               \
    fail_again = failure_was_chosen;                          \
    static HEDDLE_REAL Real<void * parameters> real{#symbol}; \
    return real arguments;                                    \
  }
struct NoThrow;
HEDDLE_NEW(_Znwm, (size_t n), (n), allocate(n != 0 ? n : 1, HEDDLE_PROGRAM_PC))
HEDDLE_NEW(_Znam, (size_t n), (n), allocate(n != 0 ? n : 1, HEDDLE_PROGRAM_PC))
HEDDLE_NEW(_ZnwmRKSt9nothrow_t, (size_t n, const NoThrow* t), (n, t),
           allocate(n != 0 ? n : 1, HEDDLE_PROGRAM_PC))
HEDDLE_NEW(_ZnamRKSt9nothrow_t, (size_t n, const NoThrow* t), (n, t),
           allocate(n != 0 ? n : 1, HEDDLE_PROGRAM_PC))
HEDDLE_NEW(_ZnwmSt11align_val_t, (size_t n, size_t a), (n, a), allocate_aligned(a, n, HEDDLE_PROGRAM_PC))
HEDDLE_NEW(_ZnamSt11align_val_t, (size_t n, size_t a), (n, a), allocate_aligned(a, n, HEDDLE_PROGRAM_PC))
HEDDLE_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const NoThrow* t), (n, a, t),
           allocate_aligned(a, n, HEDDLE_PROGRAM_PC))
HEDDLE_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const NoThrow* t), (n, a, t),
           allocate_aligned(a, n, HEDDLE_PROGRAM_PC))
#undef HEDDLE_NEW

#define HEDDLE_DELETE(symbol, parameters) \
  HEDDLE_EXPORT void symbol parameters {  \
    release(block, HEDDLE_PROGRAM_PC);    \
  }
HEDDLE_DELETE(_ZdlPv, (void* block))
HEDDLE_DELETE(_ZdaPv, (void* block))
HEDDLE_DELETE(_ZdlPvm, (void* block, size_t))
HEDDLE_DELETE(_ZdaPvm, (void* block, size_t))
HEDDLE_DELETE(_ZdlPvRKSt9nothrow_t, (void* block, const NoThrow*))
HEDDLE_DELETE(_ZdaPvRKSt9nothrow_t, (void* block, const NoThrow*))
HEDDLE_DELETE(_ZdlPvSt11align_val_t, (void* block, size_t))
HEDDLE_DELETE(_ZdaPvSt11align_val_t, (void* block, size_t))
HEDDLE_DELETE(_ZdlPvmSt11align_val_t, (void* block, size_t, size_t))
HEDDLE_DELETE(_ZdaPvmSt11align_val_t, (void* block, size_t, size_t))
#undef HEDDLE_DELETE

// Mappings made by the program are objects too.
HEDDLE_EXPORT void* mmap(void* where, size_t size, int protection, int flags, int fd, off_t offset) {
  const long result =
      sys_call(SYS_mmap, address_of(where), static_cast<long>(size), protection, flags, fd, offset);
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return MAP_FAILED;
  }
  void* block = reinterpret_cast<void*>(result);
  if (controlled()) {
    shadow_clear(address_of(block), size);
    HeapObject* object =
        heap_add(address_of(block), size, heddle::trace::ObjectKind::kMapping, HEDDLE_PROGRAM_PC);
    point_set_apply_to_heap(*object);
  }
  return block;
}
HEDDLE_EXPORT void* mmap64(void* where, size_t size, int protection, int flags, int fd, off_t offset)
    __attribute__((alias("mmap")));

HEDDLE_EXPORT int munmap(void* block, size_t size) {
  const long result = sys_call(SYS_munmap, address_of(block), static_cast<long>(size));
  if (result < 0) {
    errno = static_cast<int>(-result);
    return -1;
  }
  if (controlled()) {
    if (HeapObject* object = heap_find_start(address_of(block))) object->freed = true;
    shadow_clear(address_of(block), size);
  }
  return 0;
}
