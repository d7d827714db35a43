// Fiber: one thread of the program under test.
//
// All threads of the program run on one kernel thread. A fiber owns a stack and a thread-local block that
// glibc made for it (see thread_shell.cpp); switching between fibers swaps the stack pointer, the FS base and
// the callee-saved registers, and nothing else. At every moment exactly one fiber runs, `rt.current`; all the
// others are inside point() (scheduler.h), each with the operation it is about to execute in `op`.
//
// On the second backend each fiber has a kernel thread of its own, and a switch is a hand-off between them
// (kernel_threads.h). The rest of the runtime does not know the difference.
#pragma once

#include <cstddef>
#include <cstdint>

#include "trace/layout.h"

namespace heddle::rt {

struct Fiber;

// What a signal handler that runs while an operation waits does to the operation.
enum class OnSignal : uint8_t {
  kResume,   // nothing: it waits on after the handler (locks, joins)
  kDefer,    // the handler runs only when the wait is over, since another thread has to find the waiter
  kRestart,  // the call fails with EINTR, unless the handler was installed with SA_RESTART
  kReturn,   // the call fails with EINTR
};

// An operation a fiber is about to execute. It is *enabled* when it could complete now.
struct Op {
  trace::EventKind kind = trace::EventKind::kNone;
  trace::WaitKind wait = trace::WaitKind::kNone;  // what the thread waits for while it is disabled
  bool yields = false;                            // prefer another thread (sched_yield, an expired quantum)
  bool impatient = false;     // let even time pass for that: the thread has run for very long
  bool patient = false;       // its timeout comes only when the outside world has had that time, see io.h
  bool cancels = false;       // it is a cancellation point
  bool spurious = false;      // the wait may end for no reason
  bool touches_more = false;  // than `object` and `size` say
  uint32_t size = 1;          // bytes from `object` on
  OnSignal on_signal = OnSignal::kResume;
  uintptr_t object = 0;                     // address of the synchronisation object or location
  uintptr_t pc = 0;                         // return address of the call in the program
  uint64_t deadline = 0;                    // virtual time at which it gives up; 0: never
  bool (*enabled)(const Op&) = nullptr;     // null: always
  uint32_t (*holder)(const Op&) = nullptr;  // thread + 1 that keeps it disabled, if it is one; for reports
  uint64_t argument = 0;                    // for `enabled`
};

// One entry of the shadow call stack, kept by __tsan_func_entry/exit.
struct Frame {
  uintptr_t pc;      // call site in the caller
  uintptr_t sp;      // stack pointer in the callee; repairs the stack after longjmp
  uint64_t hash;     // of the path of call sites up to here, or 0 if not needed so far
  uint32_t context;  // index in the trace's context table, or 0 if not needed so far
  uint32_t reserved;
};

// A stack of the program with the shadow call stack that belongs to it (interpose_user_fibers.cpp).
struct UserFiber {
  Frame* frames;
  size_t frame_room;
  size_t depth;  // while it does not run
  UserFiber* next_free;
};

// A lock that a fiber holds, for deadlock reports.
struct HeldLock {
  uintptr_t object;
  uintptr_t pc;
  uint32_t context;
  bool shared;
  bool robust;  // a mutex that its owner's end unlocks
};

inline constexpr size_t kMaxSpinReads = 8;      // a busy-wait loop reads few locations
inline constexpr size_t kFirstFrames = 8;       // room for frames in one piece with their owner
inline constexpr size_t kMaxFrames = 1u << 16;  // deeper recursion is counted but not recorded

// Reads a thread has repeated without making progress; see spin.h.
struct SpinRead {
  uintptr_t address;
  uintptr_t end;
  uintptr_t pc;
  uint64_t value;
  uint64_t accesses;  // of the thread, when it last read this
  uint32_t repeats;
};

enum class FiberState : uint8_t { kReady, kFinished };

struct Fiber {
  // Machine state; the offsets of the first two are known to switch.S, of the next two to fronts.cpp.
  void* stack_pointer;
  uintptr_t fs_base;
  uintptr_t front_pc;    // caller of the library function that was entered last, and where on the stack that
  uintptr_t front_sp;    // return address is; see fronts.h
  uint64_t signal_mask;  // bit n-1: signal n is blocked. The offset is known to jumps.cpp

  // Identity.
  uint32_t index;  // in order of creation
  uint32_t parent;
  uint32_t ordinal;  // among the children of its parent
  uint32_t children;
  uint32_t schedule_id;  // its entry in the given schedule's thread table, or kNoScheduleId
  uint64_t path_hash;    // of its stable name
  FiberState state;

  // What it knows of the intervals of all threads, by slot; see happens_before.h.
  uint32_t slot;
  uint32_t known_size;
  uint32_t* known;
  uint32_t at_fence_size;
  uint32_t fenced_size;
  uint32_t* at_fence;  // what it will know after its next acquire fence
  uint32_t* fenced;    // what it knew at its last release fence

  // How often it has been told not to look (interpose_annotations.cpp).
  uint32_t ignored_reads;
  uint32_t ignored_writes;
  uint32_t ignored_sync;

  // Scheduling.
  Op op;
  bool blocked;             // op was seen disabled; a wake() on op.object makes it be looked at again
  bool parked;              // spinning
  bool timed_out;           // chosen because its deadline passed
  uint64_t wait_order;      // position in the queue of what it waits for
  int64_t priority;         // PCT: its own; POS: that of its operation; meet: see policy_meet.cpp
  uint64_t expected;        // SURW: events of interest left, its own and those of threads it will create
  uint64_t statement;       // of its operation, see statement.h
  uint64_t statement_step;  // own_steps + 1 for which that holds
  uint8_t asleep;           // bit k: not to be chosen by a step of kind k, see sleep_set.h
  bool asleep_looks_only;   // its operation as it was executed then
  uint64_t own_steps;       // scheduling steps of this thread
  uint64_t tick_step;       // of these, when it last looked at the clock; see clock.cpp
  uint64_t tick;            // virtual time that one more look takes
  uint64_t clock_looks;
  bool signalled;     // a condition, futex or barrier waiter that has been released
  uint32_t woken_by;  // thread + 1

  uint64_t accesses;  // made by this thread until it last stopped

  SpinRead spin_reads[kMaxSpinReads];
  uint32_t spin_count;
  uint32_t spin_threshold;
  bool park_when_unlocked;
  uint64_t parked_step;
  uint32_t fast_forward;  // rounds of its loop that it may still run without giving way

  // Call stack and locks.
  Frame* frames;  // grows, see grow_frames()
  size_t depth;
  size_t frame_room;
  UserFiber* user_fiber;  // the stack it runs on, if the program told of several
  UserFiber own_stack;    // the one that it was made with, then
  HeldLock* held;         // grows, see grow_held_locks()
  size_t held_count;
  size_t held_capacity;

  // Life.
  void* (*start)(void*);
  void* argument;
  void* result;
  uintptr_t thread_handle;  // pthread_t
  uintptr_t stack_top;
  uintptr_t stack_low;
  uintptr_t stack_end;  // above the thread-local storage
  uintptr_t create_pc;
  uint32_t create_context;
  bool detached;
  bool joined;
  bool in_used_shell;     // its stack and thread-local block have served another thread before
  bool has_destructors;   // of thread_local objects, to run at its end
  void* cleanup_buffers;  // C cleanup handlers (see cancel.cpp)

  // Signals and cancellation; see signal_delivery.h and cancel.h.
  uint8_t interruptions;  // bits of `interruption`: what it has to attend to at its next point
  bool mask_is_lent;      // its mask holds for one call only (ppoll, sigsuspend)
  bool cancel_requested;
  bool cancel_disabled;
  bool cancel_any_point;
  uint64_t signals_pending;  // sent to this thread and not yet taken
  uint64_t signals_awaited;  // by sigwait and the like
  uintptr_t alt_stack;       // sigaltstack
  size_t alt_stack_size;     // 0: none

  // Its kernel thread, if it has one of its own; see kernel_threads.h.
  uint32_t turn;          // futex: 1 when it may run
  int32_t kernel_thread;  // its id
  int32_t* tid;           // where glibc keeps that, if glibc knows the thread
  void* fault_stack;      // on which it handles faults
};

inline constexpr uint32_t kNoScheduleId = ~0u;

namespace interruption {
inline constexpr uint8_t kSignal = 1;     // a handler has to run
inline constexpr uint8_t kCancel = 2;     // it has been cancelled and does not refuse
inline constexpr uint8_t kCancelNow = 4;  // … at any point, not only at cancellation points
}  // namespace interruption

// Where to go on when an execution is abandoned: offsets are known to switch.S.
struct ReturnPoint {
  uint64_t registers[8];  // rbx, rbp, r12 … r15, rsp, rip
  uintptr_t fs_base;
  uint32_t mxcsr;
  uint16_t fpu_control;
};

extern "C" void heddle_switch(Fiber* from, Fiber* to);
extern "C" void heddle_set_fs_base(uintptr_t fs_base);
// Returns 0; and then 1, once for each heddle_return_to(). The function that calls it must still be active.
extern "C" int heddle_mark_return(ReturnPoint* point) __attribute__((returns_twice));
extern "C" [[noreturn]] void heddle_return_to(const ReturnPoint* point);
extern "C" void heddle_fiber_start();

}  // namespace heddle::rt
