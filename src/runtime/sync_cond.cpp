// Condition variables. Which waiter a notify_one wakes is a choice of the schedule.
#include <pthread.h>
#include <cerrno>

#include "runtime/cancel.h"
#include "runtime/clock.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

struct Cond {
  uint32_t monotonic;
  uint32_t life;
};
static_assert(sizeof(Cond) <= sizeof(pthread_cond_t));

Cond* cond_at(void* cond) {
  return static_cast<Cond*>(cond);
}

// Three steps: let go of the mutex and wait; be notified or time out; take the mutex back. A notify turns the
// waiter's operation into that of locking the mutex, so a notified thread needs only one more step.
int wait(pthread_cond_t* cond, pthread_mutex_t* mutex, uint64_t deadline, uintptr_t pc) {
  const uintptr_t object = address_of(cond);
  if (!mutex_is_held_by_self(mutex)) {
    fail_misuse("waits on a condition variable without holding its mutex", address_of(mutex), pc);
  }
  test_cancel();
  alive_point(EventKind::kCondWait, cond_at(cond), pc,
              "waits on a condition variable that has been destroyed");
  record_sync(EventKind::kCondWait, object, pc, flag::kPoint);
  uint32_t depth;
  mutex_release_for_wait(mutex, pc, &depth);

  Fiber* self = rt.current;
  self->signalled = false;
  Op op;
  op.kind = EventKind::kCondWake;
  op.wait = WaitKind::kCond;
  op.object = object;
  op.pc = pc;
  op.deadline = deadline;
  op.enabled = never;
  op.argument = address_of(mutex);
  op.on_signal = OnSignal::kReturn;  // a spurious wake-up, as POSIX allows
  op.cancels = true;
  op.spurious = true;
  const PointResult reached = point(op);
  if (self->signalled) {
    record_sync(EventKind::kCondWake, object, pc, flag::kPoint, self->woken_by);
    self->signalled = false;
    mutex_acquire_now(mutex, pc, depth, 0);
    return mutex_result(mutex, pc);
  }
  const bool timed_out = reached == PointResult::kTimedOut;
  const uint16_t step_of_its_own = reached != PointResult::kInterrupted ? flag::kPoint : 0;
  record_sync(EventKind::kCondWake, object, pc, step_of_its_own | (timed_out ? flag::kTimedOut : 0));
  point(owner_lock_op(mutex, pc));
  mutex_acquire_now(mutex, pc, depth, flag::kPoint);
  if (!timed_out) test_cancel();  // cleanup handlers find the mutex locked
  const int result = mutex_result(mutex, pc);
  return result == 0 && timed_out ? ETIMEDOUT : result;
}

void notify(Fiber* waiter) {
  waiter->op = owner_lock_op(reinterpret_cast<void*>(waiter->op.argument), waiter->op.pc);
  release(waiter);
}

int notify_some(pthread_cond_t* cond, bool all, uintptr_t pc) {
  const uintptr_t object = address_of(cond);
  const EventKind kind = all ? EventKind::kNotifyAll : EventKind::kNotifyOne;
  alive_point(kind, cond_at(cond), pc, "notifies a condition variable that has been destroyed");
  uint32_t woken = 0;
  if (all) {
    for (uint32_t i = 0; i < rt.live_count; ++i) {
      Fiber* fiber = rt.live[i];
      if (fiber->op.wait != WaitKind::kCond || fiber->op.object != object) continue;
      notify(fiber);
      woken++;
    }
  } else if (Fiber* waiter = choose_waiter(object, WaitKind::kCond)) {
    notify(waiter);
    woken = 1;
  }
  record_sync(kind, object, pc, flag::kPoint, woken);
  if (woken == 0)
    note_early_notify(object, pc);
  else
    forget_early_notifies(object);
  return 0;
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* cond, const pthread_condattr_t* attributes) {
  fill_bytes(cond, 0, sizeof *cond);
  clockid_t clock = CLOCK_REALTIME;
  if (attributes != nullptr) pthread_condattr_getclock(attributes, &clock);
  cond_at(cond)->monotonic = clock == CLOCK_MONOTONIC;
  return 0;
}

HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* cond) {
  if (!controlled()) return 0;
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  alive_point(EventKind::kSyncDestroy, cond_at(cond), pc,
              "destroys a condition variable that has been destroyed already");
  if (count_waiters(address_of(cond), WaitKind::kCond) != 0) {
    fail_misuse("destroys a condition variable on which a thread waits", address_of(cond), pc);
  }
  cond_at(cond)->life = kDestroyed;
  record_sync(EventKind::kSyncDestroy, address_of(cond), pc, flag::kPoint);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* cond, pthread_mutex_t* mutex) {
  return wait(cond, mutex, 0, HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* cond, pthread_mutex_t* mutex,
                                         const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  const clockid_t clock = cond_at(cond)->monotonic != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return wait(cond, mutex, deadline_at(clock, until), HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* cond, pthread_mutex_t* mutex, clockid_t clock,
                                         const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  return wait(cond, mutex, deadline_at(clock, until), HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* cond) {
  if (!controlled()) return 0;
  return notify_some(cond, false, HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* cond) {
  if (!controlled()) return 0;
  return notify_some(cond, true, HEDDLE_PROGRAM_PC);
}
