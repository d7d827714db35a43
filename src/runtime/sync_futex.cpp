// Futexes made through syscall(): libstdc++'s atomic wait, futures, latches, barriers and semaphores.
#include <cerrno>
#include <cstdarg>
#include <unistd.h>

#include "runtime/clock.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

bool woken(const Op& op) {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    if (&rt.live[i]->op == &op) return rt.live[i]->signalled;
  }
  return false;
}

long futex_wait(uint32_t* word, uint32_t expected, uint64_t deadline, uintptr_t pc) {
  Fiber* self = rt.current;
  simple_point(EventKind::kFutexWait, address_of(word), pc);
  if (*static_cast<volatile uint32_t*>(word) != expected) {
    record_sync(EventKind::kFutexWait, address_of(word), pc, flag::kPoint | flag::kFailed);
    return -EAGAIN;
  }
  record_sync(EventKind::kFutexWait, address_of(word), pc, flag::kPoint);
  self->signalled = false;
  Op op;
  op.kind = EventKind::kFutexAwake;
  op.wait = WaitKind::kFutex;
  op.object = address_of(word);
  op.pc = pc;
  op.deadline = deadline;
  op.enabled = woken;
  const bool timed_out = point(op) == PointResult::kTimedOut;
  self->signalled = false;
  record_sync(EventKind::kFutexAwake, address_of(word), pc, flag::kPoint | (timed_out ? flag::kTimedOut : 0),
              timed_out ? 0 : self->woken_by);
  return timed_out ? -ETIMEDOUT : 0;
}

long futex_wake(uint32_t* word, uint32_t count, uintptr_t pc) {
  simple_point(EventKind::kFutexWake, address_of(word), pc);
  uint32_t done = 0;
  while (done < count) {
    Fiber* waiter = choose_waiter(address_of(word), WaitKind::kFutex);
    if (waiter == nullptr) break;
    waiter->signalled = true;
    waiter->woken_by = self_id();
    spin_release(waiter, true);
    done++;
  }
  record_sync(EventKind::kFutexWake, address_of(word), pc, flag::kPoint, done);
  if (done == 0) note_early_notify(address_of(word), pc);
  wake(address_of(word));
  return done;
}

// Returns -ENOSYS for operations that are left to the kernel.
long futex(uint32_t* word, int operation, uint32_t value, const timespec* time, uintptr_t pc) {
  const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
      return futex_wait(word, value, time != nullptr ? deadline_after(time) : 0, pc);
    case FUTEX_WAIT_BITSET:
      return futex_wait(word, value, time != nullptr ? deadline_at(clock, time) : 0, pc);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return futex_wake(word, value, pc);
    default:
      return -ENOSYS;
  }
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& argument : a) argument = va_arg(list, long);
  va_end(list);
  long result = -ENOSYS;
  if (number == SYS_futex && controlled()) {
    result = futex(reinterpret_cast<uint32_t*>(a[0]), static_cast<int>(a[1]), static_cast<uint32_t>(a[2]),
                   reinterpret_cast<const timespec*>(a[3]), HEDDLE_PROGRAM_PC);
  }
  if (result == -ENOSYS) result = sys_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}
