// Reader-writer locks. As with glibc's default, readers may enter while a writer waits.
#include <pthread.h>
#include <cerrno>

#include "runtime/clock.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

struct RwLock {
  uint32_t writer;  // thread + 1
  uint32_t readers;
  uint32_t life;
};
static_assert(sizeof(RwLock) <= sizeof(pthread_rwlock_t));

RwLock* rwlock_at(void* lock) {
  return static_cast<RwLock*>(lock);
}
const RwLock* rwlock_of(const Op& op) {
  return reinterpret_cast<const RwLock*>(op.object);
}
bool can_read(const Op& op) {
  return rwlock_of(op)->writer == 0;
}
bool can_write(const Op& op) {
  return rwlock_of(op)->writer == 0 && rwlock_of(op)->readers == 0;
}
uint32_t rwlock_holder(const Op& op) {
  if (rwlock_of(op)->writer != 0) return rwlock_of(op)->writer;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    if (holds(rt.live[i], op.object)) return rt.live[i]->index + 1;
  }
  return 0;
}

inline constexpr const char* kUsesDestroyed = "uses a reader-writer lock that has been destroyed";

void take(RwLock* lock, bool write, EventKind kind, uintptr_t pc, uint16_t flags = 0) {
  if (write)
    lock->writer = self_id();
  else
    lock->readers++;
  note_held(address_of(lock), pc, !write);
  record_sync(kind, address_of(lock), pc, flag::kPoint | flags);
}

int lock(void* object, bool write, uint64_t deadline, uintptr_t pc) {
  RwLock* lock = rwlock_at(object);
  check_alive(lock, pc, kUsesDestroyed);
  if (lock->writer == self_id()) return EDEADLK;
  Op op;
  op.kind = write ? EventKind::kLock : EventKind::kReadLock;
  op.wait = write ? WaitKind::kLock : WaitKind::kReadLock;
  op.object = address_of(lock);
  op.pc = pc;
  op.deadline = deadline;
  op.enabled = write ? can_write : can_read;
  op.holder = rwlock_holder;
  if (point(op) == PointResult::kTimedOut) {
    record_sync(op.kind, op.object, pc, flag::kPoint | flag::kTimed | flag::kTimedOut | flag::kFailed);
    return ETIMEDOUT;
  }
  check_alive(lock, pc, kUsesDestroyed);
  take(lock, write, op.kind, pc, timed_flag(deadline));
  return 0;
}

int try_lock(void* object, bool write, uintptr_t pc) {
  RwLock* lock = rwlock_at(object);
  const EventKind kind = write ? EventKind::kTryLock : EventKind::kTryReadLock;
  alive_point(kind, lock, pc, kUsesDestroyed);
  if (lock->writer != 0 || (write && lock->readers != 0)) {
    record_sync(kind, address_of(lock), pc, flag::kPoint | flag::kFailed);
    spin_note_read(address_of(lock), 1, pc, static_cast<uint64_t>(lock->writer) << 32 | lock->readers);
    return EBUSY;
  }
  take(lock, write, kind, pc);
  return 0;
}

int unlock(void* object, uintptr_t pc) {
  RwLock* lock = rwlock_at(object);
  const bool write = lock->writer == self_id();
  const EventKind kind = write ? EventKind::kUnlock : EventKind::kReadUnlock;
  alive_point(kind, lock, pc, kUsesDestroyed);
  if (!write && (lock->readers == 0 || !holds(rt.current, address_of(lock)))) {
    fail_misuse("unlocks a reader-writer lock that it does not hold", address_of(lock), pc);
  }
  if (write)
    lock->writer = 0;
  else
    lock->readers--;
  note_released(rt.current, address_of(lock));
  record_sync(kind, address_of(lock), pc, flag::kPoint);
  wake(address_of(lock));
  return 0;
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t*) {
  fill_bytes(lock, 0, sizeof *lock);
  return 0;
}

HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (!controlled()) return 0;
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  alive_point(EventKind::kSyncDestroy, rwlock_at(lock), pc,
              "destroys a reader-writer lock that has been destroyed already");
  if (rwlock_at(lock)->writer != 0 || rwlock_at(lock)->readers != 0) {
    fail_misuse("destroys a reader-writer lock that is locked", address_of(lock), pc);
  }
  rwlock_at(lock)->life = kDestroyed;
  record_sync(EventKind::kSyncDestroy, address_of(lock), pc, flag::kPoint);
  return 0;
}

// Before the program is controlled there is one thread, which needs no lock.
HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* l) {
  return controlled() ? lock(l, false, 0, HEDDLE_PROGRAM_PC) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* l) {
  return controlled() ? lock(l, true, 0, HEDDLE_PROGRAM_PC) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) {
  return controlled() ? try_lock(l, false, HEDDLE_PROGRAM_PC) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* l) {
  return controlled() ? try_lock(l, true, HEDDLE_PROGRAM_PC) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* l) {
  return controlled() ? unlock(l, HEDDLE_PROGRAM_PC) : 0;
}
HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock, const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  return lock(l, false, deadline_at(clock, until), HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock, const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  return lock(l, true, deadline_at(clock, until), HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  return lock(l, false, deadline_at(CLOCK_REALTIME, until), HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  return lock(l, true, deadline_at(CLOCK_REALTIME, until), HEDDLE_PROGRAM_PC);
}
