#include "runtime/cancel.h"

#include <pthread.h>
#include <unwind.h>
#include <cerrno>

#include "runtime/address_space.h"
#include "runtime/explore.h"
#include "runtime/sync.h"
#include "runtime/threads.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
namespace flag = trace::event_flag;

// What pthread_cleanup_push registers in C code without -fexceptions. glibc leaves its last words to the
// library: the first of them chains the buffers.
using CleanupBuffer = __pthread_unwind_buf_t;
void*& previous(CleanupBuffer* buffer) {
  return buffer->__pad[0];
}

// glibc stores the stack pointer in the seventh slot of a jump buffer, mangled with the pointer guard.
uintptr_t saved_stack_pointer(const CleanupBuffer* buffer) {
  auto value = static_cast<uint64_t>(buffer->__cancel_jmp_buf[0].__cancel_jmp_buf[6]);
  asm("rorq $17, %0\n\txorq %%fs:0x30, %0" : "+r"(value));
  return value;
}

HEDDLE_REAL Real<void(void*, int)> real_longjmp{"_longjmp"};

FreeList<_Unwind_Exception> exceptions;

_Unwind_Reason_Code unwind_step(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                _Unwind_Exception* exception, _Unwind_Context* context, void*) {
  auto* cleanup = static_cast<CleanupBuffer*>(rt.current->cleanup_buffers);
  const bool at_end = (actions & _UA_END_OF_STACK) != 0;
  if (cleanup != nullptr && (at_end || saved_stack_pointer(cleanup) <= _Unwind_GetCFA(context))) {
    rt.current->cleanup_buffers = previous(cleanup);
    real_longjmp(cleanup, 1);
  }
  if (at_end) {
    exceptions.give_back(exception);
    thread_end(rt.current->result);
  }
  return _URC_NO_REASON;
}

// The C++ runtime drops an exception when a handler ends without rethrowing it. Then the thread would go on.
void exit_swallowed(_Unwind_Reason_Code, _Unwind_Exception*) {
  fail({.kind = trace::OutcomeKind::kMisuse,
        .message = rt.current->result == PTHREAD_CANCELED
                       ? "catches the unwinding of a cancelled thread and does not rethrow it"
                       : "catches the unwinding of pthread_exit and does not rethrow it",
        .walk_stack = true});
}

[[noreturn]] void unwind_thread() {
  static HEDDLE_REAL Real<_Unwind_Reason_Code(_Unwind_Exception*, _Unwind_Stop_Fn, void*)> forced_unwind{
      "_Unwind_ForcedUnwind"};
  if (exploring() && rt.current->index == 0)
    fail_misuse("ends the thread that called heddle::explore()", 0, rt.current->op.pc);
  _Unwind_Exception* const exception = exceptions.take();
  fill_bytes(exception, 0, sizeof *exception);
  exception->exception_cleanup = exit_swallowed;
  forced_unwind(exception, unwind_step, nullptr);
  thread_end(rt.current->result);
}

void update_cancellation(Fiber* fiber) {
  fiber->interruptions &= static_cast<uint8_t>(~(interruption::kCancel | interruption::kCancelNow));
  if (!fiber->cancel_requested || fiber->cancel_disabled) return;
  fiber->interruptions |= interruption::kCancel;
  if (fiber->cancel_any_point) fiber->interruptions |= interruption::kCancelNow;
}

}  // namespace

void act_on_cancel() {
  Fiber* self = rt.current;
  self->cancel_disabled = true;
  update_cancellation(self);
  self->result = PTHREAD_CANCELED;
  unwind_thread();
}

}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT void pthread_exit(void* result) {
  Fiber* self = rt.current;
  self->cancel_disabled = true;
  update_cancellation(self);
  self->result = result;
  self->op.pc = HEDDLE_PROGRAM_PC;
  unwind_thread();
}

HEDDLE_EXPORT int pthread_cancel(pthread_t handle) {
  static HEDDLE_REAL Real<int(pthread_t)> real_cancel{"pthread_cancel"};
  if (!controlled()) return real_cancel(handle);
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
  simple_point(EventKind::kSignalSend, 0, pc);
  record_sync(EventKind::kSignalSend, 0, pc, flag::kPoint, target->index + 1);
  if (target->state == FiberState::kFinished) return 0;
  target->cancel_requested = true;
  update_cancellation(target);
  spin_note_progress();
  if (target->interruptions != 0) spin_release(target, SpinEnd::kProgress);
  if (target->blocked) {
    target->blocked = false;
    rt.blocked_count--;
  }
  if (target == rt.current && target->cancel_any_point) test_cancel();
  return 0;
}

HEDDLE_EXPORT int pthread_setcancelstate(int state, int* before) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  Fiber* self = rt.current;
  if (self == nullptr) return 0;
  if (before != nullptr) *before = self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  update_cancellation(self);
  if ((self->interruptions & interruption::kCancelNow) != 0 && controlled()) act_on_cancel();
  return 0;
}

HEDDLE_EXPORT int pthread_setcanceltype(int type, int* before) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  Fiber* self = rt.current;
  if (self == nullptr) return 0;
  if (before != nullptr)
    *before = self->cancel_any_point ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  self->cancel_any_point = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  update_cancellation(self);
  if ((self->interruptions & interruption::kCancelNow) != 0 && controlled()) act_on_cancel();
  return 0;
}

HEDDLE_EXPORT void pthread_testcancel() {
  if (!controlled()) return;
  // A request may come before or after: the order is a choice, but only where one can come at all.
  if (rt.live_count > 1 && !rt.current->cancel_disabled) {
    const uintptr_t pc = HEDDLE_PROGRAM_PC;
    Op op;
    op.kind = EventKind::kYield;
    op.pc = pc;
    if (cancellable_point(op) == PointResult::kGo) record_sync(EventKind::kYield, 0, pc, flag::kPoint);
  }
  test_cancel();
}

HEDDLE_EXPORT void __pthread_register_cancel(CleanupBuffer* buffer) {
  previous(buffer) = rt.current->cleanup_buffers;
  rt.current->cleanup_buffers = buffer;
}
HEDDLE_EXPORT void __pthread_unregister_cancel(CleanupBuffer* buffer) {
  rt.current->cleanup_buffers = previous(buffer);
}
HEDDLE_EXPORT void __pthread_unwind_next(CleanupBuffer*) {
  unwind_thread();
}

// pthread_cleanup_push_defer_np: the same, and cancellation waits for cancellation points meanwhile.
HEDDLE_EXPORT void __pthread_register_cancel_defer(CleanupBuffer* buffer) {
  Fiber* self = rt.current;
  buffer->__pad[1] = self->cancel_any_point ? self : nullptr;
  self->cancel_any_point = false;
  update_cancellation(self);
  __pthread_register_cancel(buffer);
}
HEDDLE_EXPORT void __pthread_unregister_cancel_restore(CleanupBuffer* buffer) {
  __pthread_unregister_cancel(buffer);
  Fiber* self = rt.current;
  self->cancel_any_point = buffer->__pad[1] != nullptr;
  update_cancellation(self);
}
