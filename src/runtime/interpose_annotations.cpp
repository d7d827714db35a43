// Annotations for data-race detectors that libtsan exports. Those that say what orders threads, or which
// races are meant to be, count when races are detected; a scheduler has no use for the others, but a program
// that was linked with libtsan must find them. What they ignore is ignored, so one signature does for all.
#include "runtime/races.h"
#include "runtime/sync.h"

using namespace heddle::rt;

namespace {

using heddle::trace::EventKind;

// What an annotation passes on outlasts a relaxed store to the same location, which begins anew there: it has
// a channel of its own beside that of the location. Not a canonical address, so no memory has it.
uintptr_t annotated(uintptr_t object) {
  return object ^ uintptr_t { 1 } << 61;
}
void acquire(uintptr_t object) {
  if (!controlled() || !rt.multithreaded) return;
  order_acquire(object);
  order_acquire(annotated(object));
}
void release(uintptr_t object) {
  if (!controlled() || !rt.multithreaded) return;
  order_release(object);
  order_release(annotated(object));
}
void sync(EventKind kind, const void* object) {
  if (controlled()) order_sync(kind, address_of(object), 0);
}
void expect(uintptr_t address, size_t size) {
  if (controlled() && detecting()) expect_races(address, size);
}

// The counters of the running thread.
void add(uint32_t Fiber::* counter, int change) {
  if (!controlled()) return;
  uint32_t& count = rt.current->*counter;
  if (change > 0 || count > 0) count += static_cast<uint32_t>(change);
}

}  // namespace

#define HEDDLE_ANNOTATION(name) \
  HEDDLE_EXPORT void name() {}
HEDDLE_ANNOTATION(AnnotateEnableRaceDetection)
HEDDLE_ANNOTATION(AnnotateExpectRace)
HEDDLE_ANNOTATION(AnnotateFlushExpectedRaces)
HEDDLE_ANNOTATION(AnnotateFlushState)
HEDDLE_ANNOTATION(AnnotateMemoryIsInitialized)
HEDDLE_ANNOTATION(AnnotateMemoryIsUninitialized)
HEDDLE_ANNOTATION(AnnotateMutexIsNotPHB)
HEDDLE_ANNOTATION(AnnotateMutexIsUsedAsCondVar)
HEDDLE_ANNOTATION(AnnotateNoOp)
HEDDLE_ANNOTATION(AnnotatePCQCreate)
HEDDLE_ANNOTATION(AnnotatePCQDestroy)
HEDDLE_ANNOTATION(AnnotatePublishMemoryRange)
HEDDLE_ANNOTATION(AnnotateRWLockCreate)
HEDDLE_ANNOTATION(AnnotateRWLockCreateStatic)
HEDDLE_ANNOTATION(AnnotateRWLockDestroy)
HEDDLE_ANNOTATION(AnnotateThreadName)
HEDDLE_ANNOTATION(AnnotateTraceMemory)
HEDDLE_ANNOTATION(AnnotateUnpublishMemoryRange)
#undef HEDDLE_ANNOTATION

#define HEDDLE_ORDER(name, action)                              \
  HEDDLE_EXPORT void name(const char*, int, uintptr_t object) { \
    action(object);                                             \
  }
HEDDLE_ORDER(AnnotateHappensBefore, release)
HEDDLE_ORDER(AnnotateHappensAfter, acquire)
HEDDLE_ORDER(WTFAnnotateHappensBefore, release)
HEDDLE_ORDER(WTFAnnotateHappensAfter, acquire)
HEDDLE_ORDER(AnnotateCondVarSignal, release)
HEDDLE_ORDER(AnnotateCondVarSignalAll, release)
HEDDLE_ORDER(AnnotateCondVarWait, acquire)
HEDDLE_ORDER(AnnotatePCQPut, release)
HEDDLE_ORDER(AnnotatePCQGet, acquire)
#undef HEDDLE_ORDER

#define HEDDLE_IGNORE(name, counter)                 \
  HEDDLE_EXPORT void name##Begin(const char*, int) { \
    add(&Fiber::counter, 1);                         \
  }                                                  \
  HEDDLE_EXPORT void name##End(const char*, int) {   \
    add(&Fiber::counter, -1);                        \
  }
HEDDLE_IGNORE(AnnotateIgnoreReads, ignored_reads)
HEDDLE_IGNORE(AnnotateIgnoreWrites, ignored_writes)
HEDDLE_IGNORE(AnnotateIgnoreSync, ignored_sync)
#undef HEDDLE_IGNORE

HEDDLE_EXPORT void __tsan_ignore_thread_begin() {
  add(&Fiber::ignored_reads, 1);
  add(&Fiber::ignored_writes, 1);
}
HEDDLE_EXPORT void __tsan_ignore_thread_end() {
  add(&Fiber::ignored_reads, -1);
  add(&Fiber::ignored_writes, -1);
}

HEDDLE_EXPORT void __tsan_acquire(void* object) {
  acquire(address_of(object));
}
HEDDLE_EXPORT void __tsan_release(void* object) {
  release(address_of(object));
}

HEDDLE_EXPORT void AnnotateBenignRace(const char*, int, uintptr_t address, const char*) {
  expect(address, 8);
}
HEDDLE_EXPORT void AnnotateBenignRaceSized(const char*, int, uintptr_t address, size_t size, const char*) {
  expect(address, size);
}
HEDDLE_EXPORT void WTFAnnotateBenignRaceSized(const char*, int, uintptr_t address, size_t size, const char*) {
  expect(address, size);
}
HEDDLE_EXPORT void AnnotateNewMemory(const char*, int, uintptr_t address, size_t size) {
  if (controlled() && detecting()) shadow_clear(address, size);
}

HEDDLE_EXPORT void AnnotateRWLockAcquired(const char*, int, const void* lock, uintptr_t for_writing) {
  sync(for_writing != 0 ? EventKind::kLock : EventKind::kReadLock, lock);
}
HEDDLE_EXPORT void AnnotateRWLockReleased(const char*, int, const void* lock, uintptr_t for_writing) {
  sync(for_writing != 0 ? EventKind::kUnlock : EventKind::kReadUnlock, lock);
}

// Mutexes that the program has made itself.
namespace {
inline constexpr unsigned kForReading = 1u << 3;
inline constexpr unsigned kTryFailed = 1u << 5;
}  // namespace
HEDDLE_EXPORT void __tsan_mutex_create(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_destroy(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_lock(void* mutex, unsigned flags, int) {
  if ((flags & kTryFailed) != 0) return;
  sync((flags & kForReading) != 0 ? EventKind::kReadLock : EventKind::kLock, mutex);
}
HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void* mutex, unsigned flags) {
  sync((flags & kForReading) != 0 ? EventKind::kReadUnlock : EventKind::kUnlock, mutex);
  return 0;
}
HEDDLE_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_signal(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_divert(void*, unsigned) {}

HEDDLE_EXPORT int RunningOnValgrind() {
  return 0;
}
HEDDLE_EXPORT double ValgrindSlowdown() {
  return 1;
}
