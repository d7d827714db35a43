// ThreadSanitizer's fiber API: programs with stacks of their own (coroutine libraries, emulators) tell which
// one is about to run. For heddle a thread stays a thread whichever stack it runs on; what changes is the
// shadow call stack, and that a stack which another thread goes on with brings along what was done on it.
#include "runtime/address_space.h"
#include "runtime/happens_before.h"
#include "runtime/runtime.h"
#include "runtime/sync.h"

namespace heddle::rt {
namespace {

inline constexpr unsigned kNoSync = 1;  // __tsan_switch_to_fiber_no_sync
UserFiber* free_fibers;

UserFiber* current_user_fiber() {
  Fiber* self = rt.current;
  if (self->user_fiber == nullptr) {
    self->user_fiber = &self->own_stack;
    self->own_stack.frames = self->frames;
    self->own_stack.frame_room = self->frame_room;
    order_forget(address_of(&self->own_stack), sizeof self->own_stack);
  }
  return self->user_fiber;
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

HEDDLE_EXPORT void* __tsan_get_current_fiber() {
  return rt.current != nullptr ? current_user_fiber() : nullptr;
}

HEDDLE_EXPORT void* __tsan_create_fiber(unsigned) {
  UserFiber* fiber = free_fibers;
  if (fiber != nullptr) {
    free_fibers = fiber->next_free;
    order_forget(reinterpret_cast<uintptr_t>(fiber), sizeof *fiber);
  } else {
    fiber = static_cast<UserFiber*>(own_memory(sizeof(UserFiber) + kFirstFrames * sizeof(Frame)));
    fiber->frames = reinterpret_cast<Frame*>(fiber + 1);
    fiber->frame_room = kFirstFrames;
  }
  fiber->depth = 0;
  return fiber;
}

HEDDLE_EXPORT void __tsan_destroy_fiber(void* pointer) {
  auto* fiber = static_cast<UserFiber*>(pointer);
  fiber->next_free = free_fibers;
  free_fibers = fiber;
}

HEDDLE_EXPORT void __tsan_switch_to_fiber(void* pointer, unsigned flags) {
  Fiber* self = rt.current;
  if (self == nullptr) return;
  UserFiber* from = current_user_fiber();
  auto* to = static_cast<UserFiber*>(pointer);
  if (from == to) return;
  if (controlled() && (flags & kNoSync) == 0) {
    order_atomic(reinterpret_cast<uintptr_t>(from), false, true, __ATOMIC_SEQ_CST);
    order_atomic(reinterpret_cast<uintptr_t>(to), true, false, __ATOMIC_SEQ_CST);
  }
  from->depth = self->depth;
  self->frames = to->frames;
  self->depth = to->depth;
  self->frame_room = to->frame_room;
  self->user_fiber = to;
}

HEDDLE_EXPORT void __tsan_set_fiber_name(void*, const char*) {}
