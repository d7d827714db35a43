// Cancellation and the unwinding of threads.
//
// pthread_cancel only notes the request. A thread that does not refuse acts on it at its next cancellation
// point, before or while it waits there, or at any scheduling point if it asked for that: its stack is
// unwound as by pthread_exit, running C++ destructors and C cleanup handlers, and its result is
// PTHREAD_CANCELED.
#pragma once

#include "runtime/runtime.h"
#include "runtime/scheduler.h"
#include "runtime/signal_delivery.h"

namespace heddle::rt {

[[noreturn]] void act_on_cancel();

// Before a cancellation point, and after a wait that was interrupted.
inline void test_cancel() {
  if (HEDDLE_UNLIKELY((rt.current->interruptions & interruption::kCancel) != 0)) act_on_cancel();
}

// point() for an operation that is a cancellation point and has nothing to put back first.
inline PointResult cancellable_point(Op op) {
  test_cancel();
  op.cancels = true;
  if (op.on_signal >= OnSignal::kRestart) signal_window(op.pc);
  const PointResult result = point(op);
  if (result == PointResult::kInterrupted) test_cancel();
  return result;
}

}  // namespace heddle::rt
