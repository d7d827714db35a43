// The scheduler: decides at every scheduling point which thread runs next.
//
// A thread about to execute a visible operation calls point(op). The scheduler collects the candidates
// (threads whose operation is enabled, and threads whose timed wait could end by its timeout), follows the
// given schedule or asks the policy, switches, and point() returns in the chosen thread, which then executes
// its operation at once: no other thread runs between the return of point() and that thread's next point().
// So an interleaving is exactly the sequence of chosen threads, which is what a schedule file holds.
//
// Threads are looked at again only when something happened to what they wait for: wake(object).
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

struct Candidate {
  Fiber* fiber = nullptr;
  trace::StepKind kind = trace::StepKind::kRun;  // or kTimeout, kSpurious
};

// kInterrupted: a signal handler ran and the call has to return, or the thread has been cancelled (cancel.h).
enum class PointResult { kGo, kTimedOut, kInterrupted };

// The current thread is about to execute `op`. Returns when it has been chosen and op is enabled, or its
// deadline has passed.
PointResult point(const Op& op);

// The current thread has executed its last operation; runs the others and never returns.
[[noreturn]] void finish_current();

// Something happened to `object`: threads disabled on it may be enabled now.
void wake(uintptr_t object);

// One of the threads waiting on `object` (with `op.wait == kind`, not signalled yet) is chosen, as a notify
// does. Null if there is none.
Fiber* choose_waiter(uintptr_t object, trace::WaitKind kind);
uint32_t count_waiters(uintptr_t object, trace::WaitKind kind);

// Whether the allocation that the current thread makes now fails, as --inject allocations wants it.
bool choose_allocation_failure();

void scheduler_init();
// Whether the given schedule has choices that the execution has not come to.
bool schedule_has_more();
// Makes a new fiber schedulable.
void add_live(Fiber* fiber);

// policy.cpp: the index of the chosen candidate. `current` is the index of the running thread's own
// candidate, or -1; `yields` asks to prefer another one, `impatient` even if time has to pass for it.
size_t policy_choose(const Candidate* candidates, size_t count, int current, bool yields, bool impatient);
size_t policy_choose_waiter(Fiber* const* waiters, size_t count);
void policy_begin_execution();
void policy_add_fiber(Fiber* fiber);
// Whether waits may end for no reason at this step, and whether this allocation fails.
bool policy_wakes_spuriously();
bool policy_fails_allocation();
// Whether a spinning thread is a candidate at this step although others can run.
bool policy_tries_spinning();
void policy_demote(Fiber* fiber);  // it waits for time to pass or for another thread: let others go first

}  // namespace heddle::rt
