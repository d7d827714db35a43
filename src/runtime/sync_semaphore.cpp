// POSIX semaphores and barriers.
#include <pthread.h>
#include <semaphore.h>
#include <cerrno>
#include <climits>

#include "runtime/cancel.h"
#include "runtime/clock.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

// The value is where glibc's sem_getvalue looks for it.
struct Semaphore {
  uint32_t value;
  uint32_t waiters;
  uint32_t life;
};
static_assert(sizeof(Semaphore) <= sizeof(sem_t));

Semaphore* semaphore_at(sem_t* semaphore) {
  return reinterpret_cast<Semaphore*>(semaphore);
}
bool positive(const Op& op) {
  return reinterpret_cast<const Semaphore*>(op.object)->value > 0;
}

int sem_failure(int error) {
  errno = error;
  return -1;
}

inline constexpr const char* kUsesDestroyed = "uses a semaphore that has been destroyed";

int wait(sem_t* object, uint64_t deadline, uintptr_t pc) {
  Semaphore* semaphore = semaphore_at(object);
  check_alive(semaphore, pc, kUsesDestroyed);
  Op op;
  op.kind = EventKind::kSemWait;
  op.wait = WaitKind::kSemaphore;
  op.object = address_of(semaphore);
  op.pc = pc;
  op.deadline = deadline;
  op.enabled = positive;
  op.on_signal = OnSignal::kRestart;
  const PointResult reached = cancellable_point(op);
  if (reached == PointResult::kTimedOut) {
    record_sync(op.kind, op.object, pc, flag::kPoint | flag::kTimed | flag::kTimedOut | flag::kFailed);
    return sem_failure(ETIMEDOUT);
  }
  if (reached == PointResult::kInterrupted) return sem_failure(EINTR);
  check_alive(semaphore, pc, kUsesDestroyed);
  semaphore->value--;
  record_sync(op.kind, op.object, pc, flag::kPoint | timed_flag(deadline));
  return 0;
}

// Overlays pthread_barrier_t. The last to arrive releases all who wait.
struct Barrier {
  uint32_t threshold;
  uint32_t arrived;
  uint32_t life;
};
static_assert(sizeof(Barrier) <= sizeof(pthread_barrier_t));

void release_all(uintptr_t barrier) {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (fiber->op.wait != WaitKind::kBarrier || fiber->op.object != barrier || fiber->signalled) continue;
    release(fiber);
  }
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int sem_init(sem_t* semaphore, int, unsigned value) {
  if (value > SEM_VALUE_MAX) return sem_failure(EINVAL);
  fill_bytes(semaphore, 0, sizeof *semaphore);
  semaphore_at(semaphore)->value = value;
  return 0;
}

HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) {
  if (!controlled()) return 0;
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  alive_point(EventKind::kSyncDestroy, semaphore_at(semaphore), pc,
              "destroys a semaphore that has been destroyed already");
  if (count_waiters(address_of(semaphore), WaitKind::kSemaphore) != 0) {
    fail_misuse("destroys a semaphore on which a thread waits", address_of(semaphore), pc);
  }
  semaphore_at(semaphore)->life = kDestroyed;
  record_sync(EventKind::kSyncDestroy, address_of(semaphore), pc, flag::kPoint);
  return 0;
}

HEDDLE_EXPORT int sem_wait(sem_t* semaphore) {
  return wait(semaphore, 0, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
  if (!valid_time(until)) return sem_failure(EINVAL);
  return wait(semaphore, deadline_at(CLOCK_REALTIME, until), HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  if (!valid_time(until)) return sem_failure(EINVAL);
  return wait(semaphore, deadline_at(clock, until), HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int sem_trywait(sem_t* object) {
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  Semaphore* semaphore = semaphore_at(object);
  alive_point(EventKind::kSemTryWait, semaphore, pc, kUsesDestroyed);
  if (semaphore->value == 0) {
    record_sync(EventKind::kSemTryWait, address_of(semaphore), pc, flag::kPoint | flag::kFailed);
    spin_note_read(address_of(semaphore), 1, pc, 0);
    return sem_failure(EAGAIN);
  }
  semaphore->value--;
  record_sync(EventKind::kSemTryWait, address_of(semaphore), pc, flag::kPoint);
  return 0;
}

HEDDLE_EXPORT int sem_post(sem_t* object) {
  Semaphore* semaphore = semaphore_at(object);
  if (!controlled()) {
    semaphore->value++;
    return 0;
  }
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  alive_point(EventKind::kSemPost, semaphore, pc, kUsesDestroyed);
  if (semaphore->value == SEM_VALUE_MAX) return sem_failure(EOVERFLOW);
  semaphore->value++;
  record_sync(EventKind::kSemPost, address_of(semaphore), pc, flag::kPoint);
  spin_note_progress();
  wake(address_of(semaphore));
  return 0;
}

HEDDLE_EXPORT int sem_getvalue(sem_t* semaphore, int* value) {
  if (controlled()) {
    const uintptr_t pc = HEDDLE_PROGRAM_PC;
    alive_point(EventKind::kSemTryWait, semaphore_at(semaphore), pc, kUsesDestroyed);
    record_sync(EventKind::kSemTryWait, address_of(semaphore), pc, flag::kPoint | flag::kFailed);
  }
  *value = static_cast<int>(semaphore_at(semaphore)->value);
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t*,
                                       unsigned count) {
  if (count == 0) return EINVAL;
  fill_bytes(barrier, 0, sizeof *barrier);
  reinterpret_cast<Barrier*>(barrier)->threshold = count;
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* object) {
  if (!controlled()) return 0;
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  auto* barrier = reinterpret_cast<Barrier*>(object);
  alive_point(EventKind::kSyncDestroy, barrier, pc, "destroys a barrier that has been destroyed already");
  if (barrier->arrived != 0) {
    fail_misuse("destroys a barrier at which a thread waits", address_of(barrier), pc);
  }
  barrier->life = kDestroyed;
  record_sync(EventKind::kSyncDestroy, address_of(barrier), pc, flag::kPoint);
  return 0;
}

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* object) {
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  auto* barrier = reinterpret_cast<Barrier*>(object);
  alive_point(EventKind::kBarrierArrive, barrier, pc, "waits at a barrier that has been destroyed");
  record_sync(EventKind::kBarrierArrive, address_of(barrier), pc, flag::kPoint);
  if (++barrier->arrived == barrier->threshold) {
    barrier->arrived = 0;
    release_all(address_of(barrier));
    record_sync(EventKind::kBarrierLeave, address_of(barrier), pc);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  point(wait_for_release_op(EventKind::kBarrierLeave, WaitKind::kBarrier, address_of(barrier), pc));
  rt.current->signalled = false;
  record_sync(EventKind::kBarrierLeave, address_of(barrier), pc, flag::kPoint);
  return 0;
}
