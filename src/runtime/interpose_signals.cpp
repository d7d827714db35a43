// The calls that send, block, await and handle signals.
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>

#include "runtime/cancel.h"
#include "runtime/clock.h"
#include "runtime/descriptors.h"
#include "runtime/io.h"
#include "runtime/signal_delivery.h"
#include "runtime/sync.h"
#include "runtime/threads.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

bool valid_signal(int number) {
  return number > 0 && number <= kSignals;
}

int failure(int error) {
  errno = error;
  return -1;
}

// 0 or an errno value.
int send(Fiber* target, const siginfo_t& info, uintptr_t pc) {
  if (rt.live_count > 1) {
    simple_point(EventKind::kSignalSend, 0, pc);
    record_sync(EventKind::kSignalSend, 0, pc, flag::kPoint, target != nullptr ? target->index + 1 : 0);
  }
  rt.current->op.pc = pc;  // where it ends, if it dies of that
  if (target != nullptr && target->state == FiberState::kFinished) return 0;
  spin_note_progress();
  send_signal(target, info);
  deliver_pending_signals();
  return 0;
}

int send_to_thread(Fiber* target, int number, uintptr_t pc) {
  if (target == nullptr) return ESRCH;
  if (number == 0) return target->state == FiberState::kFinished ? ESRCH : 0;
  if (!valid_signal(number)) return EINVAL;
  return send(target, own_siginfo(number, SI_TKILL), pc);
}

struct Awaited {
  uint64_t mask;
  Fiber* fiber;
};

bool awaited_is_pending(const Op& op) {
  const auto* awaited = reinterpret_cast<const Awaited*>(op.argument);
  if ((awaited->fiber->signals_pending & awaited->mask) != 0) return true;
  uint64_t with_kernel = 0;
  sys_call(SYS_rt_sigpending, address_of(&with_kernel), 8);
  return (with_kernel & awaited->mask) != 0;
}

// Signal number, or -errno.
int await(const sigset_t* set, siginfo_t* info, uint64_t deadline, bool resumes, uintptr_t pc) {
  Fiber* self = rt.current;
  Awaited awaited{mask_of(set), self};
  siginfo_t ignored;
  siginfo_t* const taken = info != nullptr ? info : &ignored;
  for (;;) {
    Op op;
    op.kind = EventKind::kSignal;
    op.wait = WaitKind::kSignal;
    op.pc = pc;
    op.deadline = deadline;
    op.enabled = awaited_is_pending;
    op.argument = address_of(&awaited);
    op.on_signal = resumes ? OnSignal::kResume : OnSignal::kReturn;
    self->signals_awaited = awaited.mask;
    update_kernel_mask();
    const PointResult reached = input_point(op);
    self->signals_awaited = 0;
    update_kernel_mask();
    if (reached == PointResult::kInterrupted) return -EINTR;
    if (reached == PointResult::kTimedOut) {
      record_sync(EventKind::kSignal, 0, pc, flag::kPoint | flag::kTimedOut | flag::kFailed);
      return -EAGAIN;
    }
    const int number = take_pending(awaited.mask, taken);
    record_sync(EventKind::kSignal, 0, pc, flag::kPoint, static_cast<uint32_t>(number));
    if (number != 0) return number;
  }
}

// Waits until a handler has run.
int suspend(uintptr_t pc) {
  Op op;
  op.kind = EventKind::kSignal;
  op.wait = WaitKind::kSignal;
  op.pc = pc;
  op.enabled = never;
  op.on_signal = OnSignal::kReturn;
  input_point(op);
  return failure(EINTR);
}

struct sigaction to_sigaction(const SignalAction& action) {
  struct sigaction result{};
  result.sa_sigaction = action.handler;
  result.sa_flags = action.flags;
  *reinterpret_cast<uint64_t*>(&result.sa_mask) = action.mask;
  return result;
}

// The library's functions that are made of sigaction: signal and its relatives.
void (*set_handler(int number, void (*handler)(int), int flags))(int) {
  const SignalAction before = signal_action(number);
  set_signal_action(number, {reinterpret_cast<SignalHandler*>(reinterpret_cast<void*>(handler)),
                             (flags & SA_NODEFER) != 0 ? 0 : signal_bit(number), flags});
  return reinterpret_cast<void (*)(int)>(reinterpret_cast<void*>(before.handler));
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) {
  static HEDDLE_REAL Real<int(int, const struct sigaction*, struct sigaction*)> real_sigaction{"sigaction"};
  if (!controlled()) return real_sigaction(number, action, before);
  if (!valid_signal(number) || (action != nullptr && (number == SIGKILL || number == SIGSTOP)))
    return failure(EINVAL);
  const SignalAction old = signal_action(number);
  if (action != nullptr) {
    set_signal_action(number, {action->sa_sigaction, mask_of(&action->sa_mask), action->sa_flags});
  }
  if (before != nullptr) *before = to_sigaction(old);
  return 0;
}

HEDDLE_EXPORT sighandler_t signal(int number, sighandler_t handler) {
  static HEDDLE_REAL Real<sighandler_t(int, sighandler_t)> real_signal{"signal"};
  if (!controlled()) return real_signal(number, handler);
  if (!valid_signal(number) || number == SIGKILL || number == SIGSTOP) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return set_handler(number, handler, SA_RESTART);
}
HEDDLE_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) {
  static HEDDLE_REAL Real<sighandler_t(int, sighandler_t)> real_signal{"__sysv_signal"};
  if (!controlled()) return real_signal(number, handler);
  if (!valid_signal(number) || number == SIGKILL || number == SIGSTOP) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return set_handler(number, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER));
}

HEDDLE_EXPORT int siginterrupt(int number, int interrupts) {
  if (!valid_signal(number)) return failure(EINVAL);
  SignalAction action = signal_action(number);
  action.flags = interrupts != 0 ? action.flags & ~SA_RESTART : action.flags | SA_RESTART;
  set_signal_action(number, action);
  return 0;
}

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
  static HEDDLE_REAL Real<int(int, const sigset_t*, sigset_t*)> real_sigmask{"pthread_sigmask"};
  if (!controlled()) return real_sigmask(how, set, before);
  const uint64_t old = rt.current->signal_mask;
  const uint64_t given = set != nullptr ? mask_of(set) : 0;
  if (set != nullptr && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
  if (before != nullptr) {
    fill_bytes(before, 0, sizeof *before);
    *reinterpret_cast<uint64_t*>(before) = old;
  }
  if (set == nullptr) return 0;
  set_signal_mask(how == SIG_BLOCK ? old | given : how == SIG_UNBLOCK ? old & ~given : given);
  return 0;
}

HEDDLE_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* before) {
  const int error = pthread_sigmask(how, set, before);
  return error == 0 ? 0 : failure(error);
}

HEDDLE_EXPORT int sigpending(sigset_t* set) {
  uint64_t mask = 0;
  if (controlled())
    mask = pending_signals();
  else
    sys_call(SYS_rt_sigpending, address_of(&mask), 8);
  fill_bytes(set, 0, sizeof *set);
  *reinterpret_cast<uint64_t*>(set) = mask;
  return 0;
}

HEDDLE_EXPORT int raise(int number) {
  static HEDDLE_REAL Real<int(int)> real_raise{"raise"};
  if (!controlled()) return real_raise(number);
  const int error = send_to_thread(rt.current, number, HEDDLE_PROGRAM_PC);
  return error == 0 ? 0 : failure(error);
}
HEDDLE_EXPORT int gsignal(int number) __attribute__((alias("raise")));

HEDDLE_EXPORT int pthread_kill(pthread_t handle, int number) {
  static HEDDLE_REAL Real<int(pthread_t, int)> real_kill{"pthread_kill"};
  if (!controlled()) return real_kill(handle, number);
  return send_to_thread(fiber_of(handle), number, HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pthread_sigqueue(pthread_t handle, int number, const union sigval value) {
  Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
  if (!valid_signal(number)) return EINVAL;
  siginfo_t info = own_siginfo(number, SI_QUEUE);
  info.si_value = value;
  return send(target, info, HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int tgkill(pid_t process, pid_t thread, int number) {
  if (!controlled() || process != sys_call(SYS_getpid))
    return static_cast<int>(io_result(sys_call(SYS_tgkill, process, thread, number)));
  const int error = send_to_thread(fiber_of_tid(thread), number, HEDDLE_PROGRAM_PC);
  return error == 0 ? 0 : failure(error);
}

HEDDLE_EXPORT int kill(pid_t process, int number) {
  if (!controlled() || process != sys_call(SYS_getpid) || !valid_signal(number))
    return static_cast<int>(io_result(sys_call(SYS_kill, process, number)));
  return send(nullptr, own_siginfo(number, SI_USER), HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int sigqueue(pid_t process, int number, const union sigval value) {
  static HEDDLE_REAL Real<int(pid_t, int, union sigval)> real_sigqueue{"sigqueue"};
  if (!controlled() || process != sys_call(SYS_getpid) || !valid_signal(number))
    return real_sigqueue(process, number, value);
  siginfo_t info = own_siginfo(number, SI_QUEUE);
  info.si_value = value;
  return send(nullptr, info, HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int sigwait(const sigset_t* set, int* number) {
  static HEDDLE_REAL Real<int(const sigset_t*, int*)> real_sigwait{"sigwait"};
  if (!controlled()) return real_sigwait(set, number);
  const int result = await(set, nullptr, 0, true, HEDDLE_PROGRAM_PC);
  if (result < 0) return -result;
  *number = result;
  return 0;
}

HEDDLE_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* duration) {
  static HEDDLE_REAL Real<int(const sigset_t*, siginfo_t*, const timespec*)> real_wait{"sigtimedwait"};
  if (!controlled()) return real_wait(set, info, duration);
  if (duration != nullptr && !valid_time(duration)) return failure(EINVAL);
  const uint64_t deadline = duration != nullptr ? deadline_after(duration) : 0;
  const int result = await(set, info, deadline, false, HEDDLE_PROGRAM_PC);
  return result < 0 ? failure(-result) : result;
}

HEDDLE_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  static HEDDLE_REAL Real<int(const sigset_t*, siginfo_t*)> real_wait{"sigwaitinfo"};
  if (!controlled()) return real_wait(set, info);
  const int result = await(set, info, 0, false, HEDDLE_PROGRAM_PC);
  return result < 0 ? failure(-result) : result;
}

HEDDLE_EXPORT int sigsuspend(const sigset_t* set) {
  static HEDDLE_REAL Real<int(const sigset_t*)> real_suspend{"sigsuspend"};
  if (!controlled()) return real_suspend(set);
  SignalMaskScope masked(set);
  return suspend(HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pause() {
  static HEDDLE_REAL Real<int()> real_pause{"pause"};
  if (!controlled()) return real_pause();
  return suspend(HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int signalfd(int fd, const sigset_t* set, int flags) {
  const uint64_t mask = mask_of(set);
  if (controlled()) note_signalfd(mask);
  return static_cast<int>(io_result(sys_call(SYS_signalfd4, fd, address_of(&mask), 8, flags)));
}

HEDDLE_EXPORT int sigaltstack(const stack_t* stack, stack_t* before) {
  static HEDDLE_REAL Real<int(const stack_t*, stack_t*)> real_altstack{"sigaltstack"};
  if (!controlled()) return real_altstack(stack, before);
  Fiber* self = rt.current;
  const auto sp = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const bool on_it = self->alt_stack_size != 0 && sp - self->alt_stack < self->alt_stack_size;
  if (before != nullptr) {
    before->ss_sp = reinterpret_cast<void*>(self->alt_stack);
    before->ss_size = self->alt_stack_size;
    before->ss_flags = on_it ? SS_ONSTACK : self->alt_stack_size == 0 ? SS_DISABLE : 0;
  }
  if (stack == nullptr) return 0;
  if (on_it) return failure(EPERM);
  if ((stack->ss_flags & SS_DISABLE) != 0) {
    self->alt_stack_size = 0;
    return 0;
  }
  if (stack->ss_size < static_cast<size_t>(MINSIGSTKSZ)) return failure(ENOMEM);
  self->alt_stack = address_of(stack->ss_sp);
  self->alt_stack_size = stack->ss_size;
  return 0;
}
