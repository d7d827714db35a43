// Futexes made through syscall(): libstdc++'s atomic wait, futures, latches, barriers and semaphores.
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdarg>

#include "runtime/clock.h"
#include "runtime/sync.h"
#include "runtime/threads.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

inline constexpr uint32_t kAllOnes = ~0u;

// The arguments of the system call; what the last four mean depends on the operation.
struct FutexCall {
  uint32_t* word;
  int operation;
  uint32_t value;
  long fourth;  // time, or how many to move
  uint32_t* other_word;
  uint32_t last_value;  // bit mask, or the expected value of *word
  uintptr_t pc;

  int command() const { return operation & FUTEX_CMD_MASK; }
  const timespec* time() const { return reinterpret_cast<const timespec*>(fourth); }
  uint32_t move_count() const { return static_cast<uint32_t>(fourth); }
};

uint32_t read_word(const uint32_t* word) {
  return *static_cast<const volatile uint32_t*>(word);
}

// A waiter keeps its bits in the free half of its operation's argument.
uint32_t bits_of(const Op& op) {
  return static_cast<uint32_t>(op.argument);
}

long futex_wait(const FutexCall& call, uint32_t bits, uint64_t deadline) {
  const uintptr_t object = address_of(call.word);
  if (bits == 0) return -EINVAL;
  simple_point(EventKind::kFutexWait, object, call.pc);
  if (read_word(call.word) != call.value) {
    record_sync(EventKind::kFutexWait, object, call.pc, flag::kPoint | flag::kFailed);
    return -EAGAIN;
  }
  record_sync(EventKind::kFutexWait, object, call.pc, flag::kPoint);
  Op op = wait_for_release_op(EventKind::kFutexAwake, WaitKind::kFutex, object, call.pc);
  op.deadline = deadline;
  op.argument |= bits;
  op.on_signal = OnSignal::kReturn;
  op.spurious = true;
  const PointResult reached = point(op);
  if (reached == PointResult::kInterrupted) return -EINTR;
  const bool timed_out = reached == PointResult::kTimedOut;
  Fiber* self = rt.current;
  const uint32_t woken_by = self->signalled ? self->woken_by : 0;
  self->signalled = false;
  // It may have been moved to another word meanwhile.
  record_sync(EventKind::kFutexAwake, self->op.object, call.pc,
              flag::kPoint | (timed_out ? flag::kTimedOut : 0), timed_out ? 0 : woken_by);
  return timed_out ? -ETIMEDOUT : 0;
}

// One of the waiters that share a bit with `bits`. The others do not count as waiters meanwhile.
Fiber* choose_by_bits(uintptr_t object, uint32_t bits) {
  const auto set_wait_of_others = [&](WaitKind wait) {
    for (uint32_t i = 0; i < rt.live_count; ++i) {
      Op& op = rt.live[i]->op;
      if (op.kind != EventKind::kFutexAwake || op.object != object) continue;
      if ((bits_of(op) & bits) == 0) op.wait = wait;
    }
  };
  if (bits == kAllOnes) return choose_waiter(object, WaitKind::kFutex);
  set_wait_of_others(WaitKind::kNone);
  Fiber* chosen = choose_waiter(object, WaitKind::kFutex);
  set_wait_of_others(WaitKind::kFutex);
  return chosen;
}

uint32_t release_some(uintptr_t object, uint32_t count, uint32_t bits) {
  uint32_t done = 0;
  while (done < count) {
    Fiber* waiter = choose_by_bits(object, bits);
    if (waiter == nullptr) break;
    release(waiter);
    done++;
  }
  return done;
}

void record_wake(const FutexCall& call, uint32_t woken) {
  record_sync(EventKind::kFutexWake, address_of(call.word), call.pc, flag::kPoint, woken);
  if (woken == 0)
    note_early_notify(address_of(call.word), call.pc);
  else
    forget_early_notifies(address_of(call.word));
}

long futex_wake(const FutexCall& call, uint32_t bits) {
  if (bits == 0) return -EINVAL;
  simple_point(EventKind::kFutexWake, address_of(call.word), call.pc);
  const uint32_t woken = release_some(address_of(call.word), call.value, bits);
  record_wake(call, woken);
  return woken;
}

// Wakes some and lets others wait at the other word. The answer counts both, as the kernel's does.
long futex_requeue(const FutexCall& call, bool compare) {
  const uintptr_t from = address_of(call.word);
  simple_point(EventKind::kFutexWake, from, call.pc);
  if (compare && read_word(call.word) != call.last_value) {
    record_sync(EventKind::kFutexWake, from, call.pc, flag::kPoint | flag::kFailed);
    return -EAGAIN;
  }
  const uint32_t woken = release_some(from, call.value, kAllOnes);
  uint32_t moved = 0;
  for (uint32_t left = count_waiters(from, WaitKind::kFutex); left > 0 && moved < call.move_count(); --left) {
    choose_waiter(from, WaitKind::kFutex)->op.object = address_of(call.other_word);
    moved++;
  }
  record_wake(call, woken);
  return woken + moved;
}

// The kernel knows nothing of our waiters, and to it all threads are one. So of the other operations it is
// left only one: to change the word of a FUTEX_WAKE_OP that has nobody to wake.
long leave_to_kernel(const FutexCall& call) {
  if (call.command() != FUTEX_WAKE_OP || count_waiters(address_of(call.word), WaitKind::kFutex) != 0 ||
      count_waiters(address_of(call.other_word), WaitKind::kFutex) != 0) {
    rt.current->op.pc = call.pc;
    fail_internal("the program uses a futex operation that heddle does not support");
  }
  spin_wake(address_of(call.other_word), sizeof *call.other_word);
  return -ENOSYS;
}

// Returns -ENOSYS for operations that are left to the kernel.
long futex(const FutexCall& call) {
  const clockid_t clock = (call.operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  switch (call.command()) {
    case FUTEX_WAIT:
      return futex_wait(call, kAllOnes, call.time() != nullptr ? deadline_after(call.time()) : 0);
    case FUTEX_WAIT_BITSET:
      return futex_wait(call, call.last_value, call.time() != nullptr ? deadline_at(clock, call.time()) : 0);
    case FUTEX_WAKE:
      return futex_wake(call, kAllOnes);
    case FUTEX_WAKE_BITSET:
      return futex_wake(call, call.last_value);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
      return futex_requeue(call, call.command() == FUTEX_CMP_REQUEUE);
    default:
      return leave_to_kernel(call);
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
    result = futex({.word = reinterpret_cast<uint32_t*>(a[0]),
                    .operation = static_cast<int>(a[1]),
                    .value = static_cast<uint32_t>(a[2]),
                    .fourth = a[3],
                    .other_word = reinterpret_cast<uint32_t*>(a[4]),
                    .last_value = static_cast<uint32_t>(a[5]),
                    .pc = HEDDLE_PROGRAM_PC});
  }
  if (number == SYS_gettid && controlled()) result = tid_of(rt.current);
  if (number == SYS_tgkill && controlled() && a[0] == sys_call(SYS_getpid))
    return tgkill(static_cast<pid_t>(a[0]), static_cast<pid_t>(a[1]), static_cast<int>(a[2]));
  if (result == -ENOSYS) result = sys_call(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return -1;
  }
  return result;
}
