// Signals under control.
//
// The kernel sees one thread; the program has many, each with a mask and pending signals of its own. So:
//   - The kernel's mask is what *all* threads block. What is blocked by everybody and sent to the process
//   stays
//     with the kernel, where sigwait and signalfd find it, until somebody unblocks it.
//   - The kernel's handler of every signal that the program handles only notes that it came; whatever the
//     runtime was doing goes on undisturbed.
//   - A signal that the program sends itself never takes the way through the kernel.
// A thread for whom a signal has come can be chosen by the scheduler even while it waits. It then runs the
// handler before its operation (attend_to_interruption), as one step of the schedule, so delivery is part of
// the interleaving and replays. Faults are different: they happen at an instruction, and are handled there.
#pragma once

#include <csignal>

#include "runtime/runtime.h"
#include "runtime/scheduler.h"
#include "runtime/signal_actions.h"

namespace heddle::rt {

inline uint64_t mask_of(const sigset_t* set) {
  return *reinterpret_cast<const uint64_t*>(set);
}

// Something keeps the thread from simply executing or awaiting its operation.
inline bool is_interrupted(const Fiber* fiber) {
  if (HEDDLE_LIKELY(fiber->interruptions == 0) || fiber->op.on_signal == OnSignal::kDefer) return false;
  if ((fiber->interruptions & (interruption::kSignal | interruption::kCancelNow)) != 0) return true;
  return (fiber->interruptions & interruption::kCancel) != 0 && fiber->op.cancels;
}
// The current thread was chosen while interrupted: runs handlers, then goes on with its operation or says
// that it is over.
PointResult attend_to_interruption();

// Sends to a thread, or to the process (null). Ends the process if that is what the signal does.
void send_signal(Fiber* target, const siginfo_t& info);
siginfo_t own_siginfo(int number, int code);
// Runs the handlers of signals that have come for the current thread, now.
void deliver_pending_signals();
// Signals that the kernel has passed on. True if a thread has something to attend to now.
bool take_outside_signals();

// Mask of the current thread; delivers what it unblocks.
void set_signal_mask(uint64_t mask);
// The same without delivering: that is left to the next point.
void restore_signal_mask(uint64_t mask);
// The kernel's mask has to follow when threads begin and end.
void signals_begin_execution();
void signals_thread_ends(Fiber* fiber);
void update_kernel_mask();
uint64_t kernel_mask();
// In the kernel thread that runs now.
void apply_kernel_mask();
// Only the forking thread lives on in a child, and nothing is pending there.
void forget_pending_signals();
// The next execution in this process has nothing to do with what this one sent itself.
void signals_end_execution();
// The program ignores it from now on.
void discard_pending(int number);
// A signalfd wants these: they have to stay with the kernel.
void note_signalfd(uint64_t mask);

// Takes one of the signals in `mask` that are pending for the current thread or the process; 0 if there is
// none.
int take_pending(uint64_t mask, siginfo_t* info);
uint64_t pending_signals();

// A call that waits until a handler runs, or ends when one does: the signal can also come just before, and
// then it waits all the same. A point for that, where the program has handlers and the call has no mask of
// its own.
void signal_window(uintptr_t pc);

// ppoll, sigsuspend and the like: another mask during the call. What it lets in ends the wait.
class SignalMaskScope {
 public:
  explicit SignalMaskScope(const sigset_t* mask)
      : before_(rt.current->signal_mask), active_(mask != nullptr) {
    if (!active_) return;
    rt.current->mask_is_lent = true;
    restore_signal_mask(mask_of(mask));
  }
  ~SignalMaskScope() {
    if (!active_) return;
    rt.current->mask_is_lent = false;
    set_signal_mask(before_);
  }
  SignalMaskScope(const SignalMaskScope&) = delete;

 private:
  uint64_t before_;
  bool active_;
};

// A fault of an instruction for which the program has a handler of its own.
void run_fault_handler(int number, siginfo_t* info, void* context);

}  // namespace heddle::rt
