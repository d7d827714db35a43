// pthread mutexes of all types, and spin locks.
#include <pthread.h>
#include <cerrno>

#include "runtime/clock.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
namespace flag = trace::event_flag;

// A robust mutex whose owner ended while it held it.
enum class RobustState : uint16_t { kFine, kOwnerDead, kLost };

// Overlays pthread_mutex_t; `kind` is where glibc keeps it, so static initialisers and attributes work.
struct Mutex {
  uint32_t owner;  // thread + 1
  uint32_t depth;
  uint32_t life;
  uint16_t ceiling;  // of PTHREAD_PRIO_PROTECT; means nothing here
  RobustState robust;
  int32_t kind;
};
static_assert(sizeof(Mutex) <= sizeof(pthread_mutex_t));

inline constexpr int kTypeMask = 3;  // glibc: normal, recursive, errorcheck, adaptive
inline constexpr int kRobust = 16;
inline constexpr int kPriorityProtect = 64;

Mutex* mutex_at(void* mutex) {
  return static_cast<Mutex*>(mutex);
}
int type_of(const Mutex* mutex) {
  return mutex->kind & kTypeMask;
}

uint32_t owner_of(const Op& op) {
  return *reinterpret_cast<const volatile uint32_t*>(op.object);
}
bool has_no_owner(const Op& op) {
  return owner_of(op) == 0;
}

// Recursive and error-checking mutexes answer at once when the caller holds them already. -1: go on.
int lock_held_by_self(Mutex* mutex, uintptr_t pc) {
  if (mutex->owner != self_id()) return -1;
  if (type_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
    simple_point(EventKind::kLock, address_of(mutex), pc);
    mutex->depth++;
    record_sync(EventKind::kLock, address_of(mutex), pc, flag::kPoint | flag::kRecursive);
    return 0;
  }
  return type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK ? EDEADLK : -1;
}

// What a lock that has been acquired returns. A mutex that is lost is let go of again.
int robust_result(Mutex* mutex, uintptr_t pc) {
  if (HEDDLE_LIKELY(mutex->robust == RobustState::kFine)) return 0;
  if (mutex->robust == RobustState::kOwnerDead) return EOWNERDEAD;
  uint32_t depth;
  mutex_release_for_wait(mutex, pc, &depth);
  return ENOTRECOVERABLE;
}

int lock(Mutex* mutex, uintptr_t pc, uint64_t deadline) {
  check_alive(mutex, pc, "locks a mutex that has been destroyed");
  if (const int result = lock_held_by_self(mutex, pc); result >= 0) return result;
  Op op = owner_lock_op(mutex, pc);
  op.deadline = deadline;
  if (point(op) == PointResult::kTimedOut) {
    record_sync(EventKind::kLock, address_of(mutex), pc,
                flag::kPoint | flag::kTimed | flag::kTimedOut | flag::kFailed);
    return ETIMEDOUT;
  }
  mutex_acquire_now(mutex, pc, 1, flag::kPoint | timed_flag(deadline));
  return robust_result(mutex, pc);
}

int try_lock(Mutex* mutex, uintptr_t pc) {
  alive_point(EventKind::kTryLock, mutex, pc, "locks a mutex that has been destroyed");
  if (mutex->owner == self_id() && type_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
    mutex->depth++;
    record_sync(EventKind::kTryLock, address_of(mutex), pc, flag::kPoint | flag::kRecursive);
    return 0;
  }
  if (mutex->owner != 0) {
    record_sync(EventKind::kTryLock, address_of(mutex), pc, flag::kPoint | flag::kFailed);
    spin_note_read(address_of(mutex), 1, pc, mutex->owner);
    return EBUSY;
  }
  mutex->owner = self_id();
  mutex->depth = 1;
  note_held(address_of(mutex), pc, false, (mutex->kind & kRobust) != 0);
  record_sync(EventKind::kTryLock, address_of(mutex), pc, flag::kPoint);
  return robust_result(mutex, pc);
}

int unlock(Mutex* mutex, uintptr_t pc) {
  alive_point(EventKind::kUnlock, mutex, pc, "unlocks a mutex that has been destroyed");
  if (mutex->owner != self_id()) {
    if (type_of(mutex) == PTHREAD_MUTEX_ERRORCHECK || type_of(mutex) == PTHREAD_MUTEX_RECURSIVE) {
      record_sync(EventKind::kUnlock, address_of(mutex), pc, flag::kPoint | flag::kFailed);
      return EPERM;
    }
    fail_misuse(mutex->owner == 0 ? "unlocks a mutex that is not locked"
                                  : "unlocks a mutex that another thread has locked",
                address_of(mutex), pc);
  }
  if (--mutex->depth > 0) {
    record_sync(EventKind::kUnlock, address_of(mutex), pc, flag::kPoint | flag::kRecursive);
    return 0;
  }
  if (mutex->robust == RobustState::kOwnerDead) mutex->robust = RobustState::kLost;  // nobody repaired it
  mutex->owner = 0;
  note_released(rt.current, address_of(mutex));
  record_sync(EventKind::kUnlock, address_of(mutex), pc, flag::kPoint);
  wake(address_of(mutex));
  return 0;
}

}  // namespace

void mutexes_thread_ends(const Fiber* fiber) {
  for (size_t i = 0; i < fiber->held_count; ++i) {
    if (!fiber->held[i].robust) continue;
    Mutex* mutex = mutex_at(reinterpret_cast<void*>(fiber->held[i].object));
    mutex->owner = 0;
    mutex->depth = 0;
    mutex->robust = RobustState::kOwnerDead;
    record_sync(EventKind::kUnlock, address_of(mutex), fiber->held[i].pc);
    wake(address_of(mutex));
  }
}

Op owner_lock_op(const volatile void* lock, uintptr_t pc) {
  Op op;
  op.kind = EventKind::kLock;
  op.wait = trace::WaitKind::kLock;
  op.object = address_of(lock);
  op.pc = pc;
  op.enabled = has_no_owner;
  op.holder = owner_of;
  return op;
}

void mutex_acquire_now(void* mutex, uintptr_t pc, uint32_t depth, uint16_t flags) {
  check_alive(mutex_at(mutex), pc, "waits for a mutex that another thread has destroyed");
  mutex_at(mutex)->owner = self_id();
  mutex_at(mutex)->depth = depth;
  note_held(address_of(mutex), pc, false, (mutex_at(mutex)->kind & kRobust) != 0);
  record_sync(EventKind::kLock, address_of(mutex), pc, flags);
}

void mutex_release_for_wait(void* mutex, uintptr_t pc, uint32_t* saved_depth) {
  *saved_depth = mutex_at(mutex)->depth;
  mutex_at(mutex)->owner = 0;
  mutex_at(mutex)->depth = 0;
  note_released(rt.current, address_of(mutex));
  record_sync(EventKind::kUnlock, address_of(mutex), pc);
  wake(address_of(mutex));
}

int mutex_result(void* mutex, uintptr_t pc) {
  return robust_result(mutex_at(mutex), pc);
}

bool mutex_is_held_by_self(void* mutex) {
  return mutex_at(mutex)->owner == self_id();
}

}  // namespace heddle::rt

using namespace heddle::rt;

namespace {
HEDDLE_REAL Real<int(pthread_mutex_t*, const pthread_mutexattr_t*)> real_mutex_init{"pthread_mutex_init"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_mutex_destroy{"pthread_mutex_destroy"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_mutex_lock{"pthread_mutex_lock"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_mutex_trylock{"pthread_mutex_trylock"};
HEDDLE_REAL Real<int(pthread_mutex_t*)> real_mutex_unlock{"pthread_mutex_unlock"};
}  // namespace

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  const int error = real_mutex_init(mutex, attributes);  // sets the kind, zeroes the rest
  // But for the ceiling, which it keeps where we keep the owner.
  if (error == 0 && attributes != nullptr && (mutex_at(mutex)->kind & kPriorityProtect) != 0) {
    int ceiling = 0;
    pthread_mutexattr_getprioceiling(attributes, &ceiling);
    mutex_at(mutex)->owner = 0;
    mutex_at(mutex)->ceiling = static_cast<uint16_t>(ceiling);
  }
  return error;
}

HEDDLE_EXPORT int pthread_mutex_getprioceiling(const pthread_mutex_t* mutex, int* ceiling) {
  const auto* state = reinterpret_cast<const Mutex*>(mutex);
  if ((state->kind & kPriorityProtect) == 0) return EINVAL;
  *ceiling = state->ceiling;
  return 0;
}
HEDDLE_EXPORT int pthread_mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* before) {
  Mutex* state = mutex_at(mutex);
  if ((state->kind & kPriorityProtect) == 0) return EINVAL;
  *before = state->ceiling;
  state->ceiling = static_cast<uint16_t>(ceiling);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) {
  Mutex* state = mutex_at(mutex);
  if ((state->kind & kRobust) == 0 || state->robust != RobustState::kOwnerDead || state->owner != self_id())
    return EINVAL;
  state->robust = RobustState::kFine;
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (!controlled()) return real_mutex_destroy(mutex);
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  Mutex* state = mutex_at(mutex);
  alive_point(EventKind::kSyncDestroy, state, pc, "destroys a mutex that has been destroyed already");
  if (state->owner != 0) fail_misuse("destroys a mutex that is locked", address_of(mutex), pc);
  state->life = kDestroyed;
  record_sync(EventKind::kSyncDestroy, address_of(mutex), pc, flag::kPoint);
  return 0;
}

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (!controlled()) return real_mutex_lock(mutex);
  return lock(mutex_at(mutex), HEDDLE_PROGRAM_PC, 0);
}

HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (!controlled()) return real_mutex_trylock(mutex);
  return try_lock(mutex_at(mutex), HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!controlled()) return real_mutex_unlock(mutex);
  return unlock(mutex_at(mutex), HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  return lock(mutex_at(mutex), HEDDLE_PROGRAM_PC, deadline_at(clock, until));
}

HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  return lock(mutex_at(mutex), HEDDLE_PROGRAM_PC, deadline_at(CLOCK_REALTIME, until));
}

// glibc's spin lock is one int; ours holds thread + 1.
namespace {
uint32_t* spin_at(pthread_spinlock_t* lock) {
  return reinterpret_cast<uint32_t*>(const_cast<int*>(lock));
}
}  // namespace

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int) {
  *lock = 0;
  return 0;
}

HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (!controlled()) return 0;
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  simple_point(EventKind::kSyncDestroy, address_of(lock), pc);
  if (*lock != 0) fail_misuse("destroys a spin lock that is locked", address_of(lock), pc);
  record_sync(EventKind::kSyncDestroy, address_of(lock), pc, flag::kPoint);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (!controlled()) return 0;
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  point(owner_lock_op(lock, pc));
  *spin_at(lock) = self_id();
  note_held(address_of(lock), pc, false);
  record_sync(EventKind::kLock, address_of(lock), pc, flag::kPoint);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (!controlled()) return 0;
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  simple_point(EventKind::kTryLock, address_of(lock), pc);
  if (*lock != 0) {
    record_sync(EventKind::kTryLock, address_of(lock), pc, flag::kPoint | flag::kFailed);
    spin_note_read(address_of(lock), 1, pc, *spin_at(lock));
    return EBUSY;
  }
  *spin_at(lock) = self_id();
  note_held(address_of(lock), pc, false);
  record_sync(EventKind::kTryLock, address_of(lock), pc, flag::kPoint);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (!controlled()) return 0;
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  simple_point(EventKind::kUnlock, address_of(lock), pc);
  if (*spin_at(lock) != self_id()) {
    fail_misuse(*lock == 0 ? "unlocks a spin lock that is not locked"
                           : "unlocks a spin lock that another thread has locked",
                address_of(lock), pc);
  }
  *lock = 0;
  note_released(rt.current, address_of(lock));
  record_sync(EventKind::kUnlock, address_of(lock), pc, flag::kPoint);
  wake(address_of(lock));
  return 0;
}
