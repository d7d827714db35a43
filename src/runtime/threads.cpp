#include "runtime/threads.h"

#include <cerrno>

#include "runtime/access.h"
#include "runtime/address_space.h"
#include "runtime/cancel.h"
#include "runtime/clock.h"
#include "runtime/kernel_threads.h"
#include "runtime/point_set.h"
#include "runtime/signal_delivery.h"
#include "runtime/startup.h"
#include "runtime/sync.h"
#include "runtime/thread_data.h"
#include "runtime/thread_shell.h"
#include "trace/hash.h"

namespace heddle::rt {
namespace {

using trace::EventKind;
using trace::WaitKind;
namespace flag = trace::event_flag;

inline constexpr size_t kServiceStack = 64 * 1024;
using ServiceStack = char[kServiceStack];
FreeList<ServiceStack> service_stacks;

void* run_service(void* body) {
  reinterpret_cast<void (*)()>(body)();
  return nullptr;
}

// In one piece with the fiber, so that a shallow stack needs no page of its own.
Frame* first_frames(Fiber* fiber) {
  return reinterpret_cast<Frame*>(fiber + 1);
}

// As new, but for the memory that it has grown.
void recycle(Fiber* fiber) {
  if (is_service(fiber)) service_stacks.give_back(reinterpret_cast<ServiceStack*>(fiber->stack_low));
  // The frames that it has now may belong to a stack of the program's own.
  const bool has_own_frames = fiber->user_fiber == nullptr;
  Frame* const frames = has_own_frames ? fiber->frames : fiber->own_stack.frames;
  const size_t frame_room = has_own_frames ? fiber->frame_room : fiber->own_stack.frame_room;
  HeldLock* const held = fiber->held;
  const size_t held_capacity = fiber->held_capacity;
  uint32_t* const known = fiber->known;
  const uint32_t known_size = fiber->known_size;
  order_recycle(fiber);
  fill_bytes(fiber, 0, sizeof(Fiber));
  fiber->frames = frames;
  fiber->frame_room = frame_room;
  fiber->held = held;
  fiber->held_capacity = held_capacity;
  fiber->known = known;
  fiber->known_size = known_size;
  for (uint32_t i = 0; i < fiber->known_size; ++i) fiber->known[i] = 0;
}

Fiber* new_fiber() {
  if (rt.fiber_count == kMaxFibers) return nullptr;
  Fiber* fiber = rt.fibers[rt.fiber_count];
  if (fiber != nullptr) {
    recycle(fiber);  // of an earlier execution in this process
  } else {
    fiber = static_cast<Fiber*>(own_memory(sizeof(Fiber) + kFirstFrames * sizeof(Frame)));
    fiber->frames = first_frames(fiber);
    fiber->frame_room = kFirstFrames;
  }
  fiber->index = rt.fiber_count;
  fiber->schedule_id = kNoScheduleId;
  return fiber;
}

// Finds the entry of the given schedule that names this thread.
void find_schedule_id(Fiber* fiber) {
  const trace::TableRecord& input = descriptor(trace::ArenaTableId::kInputThreads);
  const auto* threads = table<trace::ScheduleThreadRecord>(trace::ArenaTableId::kInputThreads);
  if (fiber->index == 0) {
    if (input.count > 0) fiber->schedule_id = 0;
    return;
  }
  const uint32_t parent = rt.fibers[fiber->parent]->schedule_id;
  for (uint64_t i = 1; i < input.count; ++i) {
    if (threads[i].parent == parent && threads[i].ordinal == fiber->ordinal) {
      fiber->schedule_id = static_cast<uint32_t>(i);
      return;
    }
  }
}

uint64_t path_hash(uint64_t parent, uint32_t ordinal) {
  char text[16];
  Text name(text, sizeof text);
  name.add("/").add(ordinal);
  return trace::fnv1a({text, name.size()}, parent);
}

void register_fiber(Fiber* fiber) {
  find_schedule_id(fiber);
  rt.fibers[rt.fiber_count++] = fiber;
  point_set_apply_to_stack(*fiber);
  add_live(fiber);
  if (rt.os_threads && fiber->index != 0) name_kernel_thread(fiber);
}

// Lays out the fiber's stack so that the first switch to it enters heddle_fiber_start with rbx = fiber.
void prepare_stack(Fiber* fiber) {
  auto* sp = reinterpret_cast<uint64_t*>(fiber->stack_top);
  sp -= 2;  // keeps the stack 16-aligned where heddle_fiber_start calls
  *--sp = reinterpret_cast<uint64_t>(&heddle_fiber_start);
  *--sp = 0;                                  // rbp
  *--sp = reinterpret_cast<uint64_t>(fiber);  // rbx
  for (int i = 0; i < 4; ++i) *--sp = 0;      // r12 … r15
  uint32_t mxcsr;                             // a new thread inherits both control words
  uint16_t fpu_control;
  asm volatile("stmxcsr %0" : "=m"(mxcsr));
  asm volatile("fnstcw %0" : "=m"(fpu_control));
  *--sp = uint64_t{fpu_control} << 32 | mxcsr;
  fiber->stack_pointer = sp;
}

void set_multithreaded(bool multithreaded) {
  if (multithreaded && !rt.multithreaded) order_threads_begin();
  rt.multithreaded = multithreaded;
  if (!multithreaded) begin_phase();
}

// A thread has been joined. Once all have, everything so far is ordered before all that follows; a detached
// thread that has ended does not count, since its end is ordered before nothing.
void note_joined() {
  if (--rt.unjoined == 0 && rt.live_count == 1) set_multithreaded(false);
}

bool finished(const Op& op) {
  return reinterpret_cast<const Fiber*>(op.object)->state == FiberState::kFinished;
}
uint32_t joined_thread(const Op& op) {
  return reinterpret_cast<const Fiber*>(op.object)->index + 1;
}

int create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*), void* argument,
           uintptr_t pc) {
  Fiber* self = rt.current;
  simple_point(EventKind::kFork, 0, pc);
  Fiber* fiber = new_fiber();
  if (fiber == nullptr) return EAGAIN;
  Shell shell;
  if (const int error = shell_acquire(attributes, &shell); error != 0) return error;
  fiber->fs_base = shell.fs_base;
  fiber->tid = shell.tid;
  fiber->thread_handle = shell.handle;
  fiber->stack_top = shell.stack_top;
  fiber->stack_low = shell.stack_low;
  fiber->stack_end = shell.stack_end;
  fiber->in_used_shell = shell.used;
  if (shell.used) reset_thread_locals(shell.fs_base);
  // What another thread did there is over, though nothing may say so to this one.
  if (shell.used && detecting()) shadow_clear(shell.stack_low, shell.stack_end - shell.stack_low);
  prepare_stack(fiber);
  if (rt.os_threads && start_kernel_thread(fiber) != 0) return EAGAIN;
  fiber->start = start;
  fiber->argument = argument;
  fiber->parent = self->index;
  fiber->ordinal = ++self->children;
  fiber->path_hash = path_hash(self->path_hash, fiber->ordinal);
  fiber->signal_mask = self->signal_mask;
  fiber->create_pc = pc;
  fiber->create_context = recorded_context();
  if (attributes != nullptr) {
    int state = PTHREAD_CREATE_JOINABLE;
    pthread_attr_getdetachstate(attributes, &state);
    fiber->detached = state == PTHREAD_CREATE_DETACHED;
  }
  fiber->op.kind = EventKind::kThreadBegin;
  fiber->op.pc = pc;
  *handle = shell.handle;
  rt.unjoined++;
  rt.arena->saw_threads++;
  set_multithreaded(true);
  order_begin(fiber, self);
  spin_note_progress();
  register_fiber(fiber);
  record_thread(*fiber);
  record_event({.kind = EventKind::kFork, .pc = pc, .size_or_peer = fiber->index, .flags = flag::kPoint});
  return 0;
}

}  // namespace

void grow_frames(Fiber* fiber) {
  const size_t room = 2 * fiber->frame_room;
  auto* frames = static_cast<Frame*>(own_memory(room * sizeof(Frame)));
  copy_bytes(frames, fiber->frames, fiber->frame_room * sizeof(Frame));
  if (fiber->frame_room > kFirstFrames) drop_own_memory(fiber->frames, fiber->frame_room * sizeof(Frame));
  fiber->frames = frames;
  fiber->frame_room = room;
  if (fiber->user_fiber == nullptr) return;
  fiber->user_fiber->frames = frames;
  fiber->user_fiber->frame_room = room;
}

Fiber* start_service_thread(void (*body)(), const char* name) {
  Fiber* self = rt.current;
  Fiber* fiber = new_fiber();
  if (fiber == nullptr) give_up("there is no room for a thread of the runtime");
  fiber->fs_base = rt.fibers[0]->fs_base;  // it touches nothing there
  fiber->stack_low = address_of(service_stacks.take());
  fiber->stack_top = fiber->stack_low + kServiceStack;
  prepare_stack(fiber);
  if (rt.os_threads && start_kernel_thread(fiber) != 0)
    give_up("the kernel has no room for a thread of the runtime");
  fiber->start = run_service;
  fiber->argument = reinterpret_cast<void*>(body);
  fiber->parent = self->index;
  fiber->ordinal = ++self->children;
  fiber->path_hash = path_hash(self->path_hash, fiber->ordinal);
  fiber->signal_mask = ~uint64_t{0};
  fiber->detached = true;
  fiber->op.kind = EventKind::kThreadBegin;
  rt.unjoined++;
  rt.service_count++;
  set_multithreaded(true);
  order_begin(fiber, self);
  register_fiber(fiber);
  record_thread(*fiber);
  name_thread(fiber, name);
  record_event({.kind = EventKind::kFork, .size_or_peer = fiber->index});
  return fiber;
}

bool is_service(const Fiber* fiber) {
  return fiber->start == run_service;
}

void end_service_thread() {
  record_event({.kind = EventKind::kThreadEnd});
  rt.service_count--;
  note_joined();
  finish_current();
}

void start_detached_thread(void* (*body)(void*), void* argument) {
  pthread_t handle;
  if (create(&handle, nullptr, body, argument, 0) == 0) fiber_of(handle)->detached = true;
}

void name_thread(const Fiber* fiber, const char* name) {
  if (fiber->index < descriptor(trace::TableId::kThreads).count)
    table<trace::ThreadRecord>(trace::TableId::kThreads)[fiber->index].name = record_string(name);
}

void grow_held_locks(Fiber* fiber) {
  constexpr size_t kFirstCapacity = 4;
  const size_t capacity = fiber->held_capacity != 0 ? 2 * fiber->held_capacity : kFirstCapacity;
  auto* held = static_cast<HeldLock*>(own_memory(capacity * sizeof(HeldLock)));
  copy_bytes(held, fiber->held, fiber->held_count * sizeof(HeldLock));
  if (fiber->held != nullptr) drop_own_memory(fiber->held, fiber->held_capacity * sizeof(HeldLock));
  fiber->held = held;
  fiber->held_capacity = capacity;
}

Fiber* fiber_of(pthread_t handle) {
  for (uint32_t i = rt.fiber_count; i > 0; --i) {
    if (rt.fibers[i - 1]->thread_handle == handle) return rt.fibers[i - 1];
  }
  return nullptr;
}

namespace {
// Above every id that the kernel gives (its largest pid_max), so that none is mistaken for another.
inline constexpr pid_t kFirstTid = 1 << 22;
}  // namespace

pid_t tid_of(const Fiber* fiber) {
  if (fiber->index == 0) return static_cast<pid_t>(sys_call(SYS_getpid));
  return kFirstTid + static_cast<pid_t>(fiber->index);
}

Fiber* fiber_of_tid(pid_t tid) {
  if (tid == tid_of(rt.fibers[0])) return rt.fibers[0];
  const auto index = static_cast<uint32_t>(tid - kFirstTid);
  return tid > kFirstTid && index < rt.fiber_count ? rt.fibers[index] : nullptr;
}

void threads_init(uintptr_t main_stack_top) {
  Fiber* fiber = new_fiber();
  if (fiber == nullptr) give_up("cannot map the main thread's state");
  fiber->thread_handle = pthread_self();
  asm volatile("mov %%fs:0, %0" : "=r"(fiber->fs_base));
  fiber->stack_top = main_stack_top;
  fiber->stack_low = main_stack_top - (64u << 20);
  fiber->path_hash = trace::fnv1a("main");
  rt.current = fiber;
}

void threads_begin_execution() {
  order_begin(rt.current, nullptr);
  register_fiber(rt.current);
}

void adopt_kernel_thread() {
  rt.current->kernel_thread = static_cast<pid_t>(sys_call(SYS_gettid));
  if (rt.os_threads) {
    note_process_name();
  } else if (pid_t* tid = find_own_tid()) {
    *tid = 0;  // glibc's setuid and the like would signal it and wait for the answer of another kernel thread
  }
}

void thread_end(void* result) {
  Fiber* self = rt.current;
  self->result = result;
  run_thread_destructors();
  simple_point(EventKind::kThreadEnd, 0, self->op.pc);
  record_event({.kind = EventKind::kThreadEnd, .flags = flag::kPoint});
  mutexes_thread_ends(self);
  signals_thread_ends(self);
  if (rt.live_count == 1 + rt.service_count) {
    // The last thread: the process ends as if main had returned 0 (main itself left by pthread_exit). Exit
    // handlers run after all that the others did, joined or not.
    for (uint32_t i = 0; i < rt.fiber_count; ++i) order_join(rt.fibers[i]);
    static HEDDLE_REAL Real<void(int)> real_exit{"exit"};
    real_exit(0);
  }
  finish_current();
}

namespace {

// Asked again after the wait: another thread may have joined or detached it meanwhile.
void check_joinable(const Fiber* target, uintptr_t pc) {
  if (target->joined) fail_misuse("joins a thread that has been joined already", 0, pc);
  if (target->detached) fail_misuse("joins a thread that is detached", 0, pc);
}

void record_join(const Fiber* target, uintptr_t pc, uint16_t flags) {
  record_event({.kind = EventKind::kJoin, .pc = pc, .size_or_peer = target->index, .flags = flags});
}

int join(pthread_t handle, void** result, bool try_only, uint64_t deadline, uintptr_t pc) {
  Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
  if (target == rt.current) fail_misuse("joins itself", 0, pc);
  check_joinable(target, pc);
  if (try_only) {
    simple_point(EventKind::kJoin, address_of(target), pc);
    if (target->state != FiberState::kFinished) {
      record_join(target, pc, flag::kPoint | flag::kFailed);
      spin_note_read(address_of(target), 1, pc, static_cast<uint64_t>(target->state));
      return EBUSY;
    }
  } else {
    Op op;
    op.kind = EventKind::kJoin;
    op.wait = WaitKind::kJoin;
    op.object = address_of(target);
    op.pc = pc;
    op.deadline = deadline;
    op.enabled = finished;
    op.holder = joined_thread;
    if (cancellable_point(op) == PointResult::kTimedOut) {
      record_join(target, pc, flag::kPoint | flag::kTimedOut | flag::kFailed);
      return ETIMEDOUT;
    }
  }
  check_joinable(target, pc);
  target->joined = true;
  record_join(target, pc, flag::kPoint);
  if (result != nullptr) *result = target->result;
  order_join(target);
  note_joined();
  return 0;
}

}  // namespace
}  // namespace heddle::rt

using namespace heddle::rt;

// Entered from switch.S on the fiber's own stack.
extern "C" __attribute__((visibility("hidden"))) void heddle_fiber_main(Fiber* fiber) {
  if (fiber->in_used_shell) forget_specific_data();
  record_event({.kind = EventKind::kThreadBegin, .flags = flag::kPoint});
  thread_end(fiber->start(fiber->argument));
}

HEDDLE_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                                 void* argument) {
  static HEDDLE_REAL Real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)> real_create{
      "pthread_create"};
  if (HEDDLE_UNLIKELY(rt.arena != nullptr && !rt.inside && !executions_started())) {
    start_executions(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
  }
  if (!controlled()) return real_create(handle, attributes, start, argument);
  return create(handle, attributes, start, argument, HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pthread_join(pthread_t handle, void** result) {
  return join(handle, result, false, 0, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) {
  return join(handle, result, true, 0, HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  return join(handle, result, false, deadline_at(CLOCK_REALTIME, until), HEDDLE_PROGRAM_PC);
}
HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock,
                                       const timespec* until) {
  if (!valid_time(until)) return EINVAL;
  return join(handle, result, false, deadline_at(clock, until), HEDDLE_PROGRAM_PC);
}

HEDDLE_EXPORT int pthread_detach(pthread_t handle) {
  const uintptr_t pc = HEDDLE_PROGRAM_PC;
  simple_point(EventKind::kYield, 0, pc);
  record_event({.kind = EventKind::kYield, .pc = pc, .flags = flag::kPoint});
  Fiber* target = fiber_of(handle);
  if (target == nullptr) return ESRCH;
  if (target->detached || target->joined)
    fail_misuse("detaches a thread that is joined or detached already", 0, pc);
  target->detached = true;
  return 0;
}
