#include "runtime/scheduler.h"

#include "runtime/access.h"
#include "runtime/address_space.h"
#include "runtime/failure.h"
#include "runtime/io.h"
#include "runtime/kernel_threads.h"
#include "runtime/recorder.h"
#include "runtime/signal_delivery.h"
#include "runtime/sleep_set.h"
#include "runtime/spin.h"
#include "runtime/sys.h"

namespace heddle::rt {
namespace {

// A thread that has run this many steps on end while others could run is asked to yield: whatever it waits
// for in a way that spin.h does not recognise, it shall not wait for ever.
inline constexpr uint32_t kPatience = 10007;
// If nobody could take over and it holds what the others may need, it is asked again after so many steps.
// Both are prime numbers, so that in a loop that is not always at the same place.
inline constexpr uint32_t kAskAgain = 7;
HEDDLE_EXECUTION uint32_t streak;  // steps since the last switch while there were others, or less

// Virtual time that a step takes, about what it takes natively with ThreadSanitizer: without it, a sleep
// would never end while another thread works until the sleeper stops it.
inline constexpr uint64_t kStepTime = 1000;

// Scratch space, with as much room as rt.fibers and rt.live.
HEDDLE_WORLD Candidate* candidates;
HEDDLE_WORLD Fiber** waiters;
HEDDLE_WORLD size_t fiber_room;

template <typename T>
void move_array(T** array, size_t count, size_t room) {
  auto* larger = static_cast<T*>(own_memory(room * sizeof(T)));
  if (count != 0) copy_bytes(larger, *array, count * sizeof(T));
  *array = larger;
}

void make_room_for_fibers() {
  if (rt.fiber_count + 1 < fiber_room) return;
  const size_t old = fiber_room;
  fiber_room = old == 0 ? 16 : old * 2;
  move_array(&rt.fibers, old, fiber_room);
  move_array(&rt.live, old, fiber_room);
  move_array(&candidates, old, fiber_room);
  move_array(&waiters, old, fiber_room);
}

// Position in the schedule given by the tool.
struct Follower {
  uint64_t next;  // index of the next input step
  uint32_t used;  // choices already taken from it
  bool diverged;
};
HEDDLE_EXECUTION Follower follower;
HEDDLE_EXECUTION bool only_spinning;               // threads can go on
HEDDLE_EXECUTION uint32_t allocations_since_step;  // that could have failed

bool enabled(const Fiber* fiber) {
  return fiber->op.enabled == nullptr || fiber->op.enabled(fiber->op) || is_interrupted(fiber);
}

void count_step(Fiber* fiber) {
  rt.arena->outcome.steps = ++rt.steps;
  fiber->own_steps++;
  rt.clock += kStepTime;
}

const trace::StepRecord* next_input_step() {
  if (follower.diverged || follower.next >= descriptor(trace::ArenaTableId::kInputSteps).count)
    return nullptr;
  return &table<trace::StepRecord>(trace::ArenaTableId::kInputSteps)[follower.next];
}

// Adds the (parked or other) threads that could be chosen now.
size_t collect(bool parked, size_t count) {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (fiber->parked && rt.steps - fiber->parked_step > kPatience) spin_release(fiber, SpinEnd::kTrial);
    if (fiber->parked != parked) continue;
    if (!fiber->blocked) {
      if (HEDDLE_LIKELY(enabled(fiber))) {
        candidates[count++] = {fiber, trace::StepKind::kRun};
        continue;
      }
      fiber->blocked = true;
      rt.blocked_count++;
      fiber->wait_order = ++rt.wait_counter;
    }
    if (fiber->op.deadline == 0 || fiber->op.patient) continue;
    if (rt.timer_deadline != 0 && fiber->op.deadline > rt.timer_deadline) continue;
    candidates[count++] = {fiber, trace::StepKind::kTimeout};
  }
  return count;
}

// While threads wait for the outside world, being idle means looking there before time may pass.
size_t collect_with_input() {
  io_recheck_if_due();
  for (;;) {
    const size_t count = collect(false, 0);
    uint64_t earliest = 0;
    for (size_t i = 0; i < count; ++i) {
      if (candidates[i].kind != trace::StepKind::kTimeout) return count;
      const uint64_t deadline = candidates[i].fiber->op.deadline;
      if (earliest == 0 || deadline < earliest) earliest = deadline;
    }
    const IdleResult idle = io_when_idle(earliest);
    if (idle.changed) continue;
    if (idle.timed_out == nullptr) return count;
    candidates[count] = {idle.timed_out, trace::StepKind::kTimeout};
    return count + 1;
  }
}

// A wait with a deadline can end early anyway, by its timeout.
size_t collect_spurious_wakeups(size_t count) {
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (fiber->blocked && fiber->op.spurious && fiber->op.deadline == 0)
      candidates[count++] = {fiber, trace::StepKind::kSpurious};
  }
  return count;
}

// Spinning threads run when nobody else can, even by letting time pass, and otherwise when the policy wants
// to try what a loop does that gives up after some rounds.
size_t collect_candidates() {
  size_t count = HEDDLE_LIKELY(rt.input_waiters == 0) ? collect(false, 0) : collect_with_input();
  only_spinning = count == 0;
  const bool free_choice =
      next_input_step() == nullptr;  // else the policy is not asked and must draw nothing
  if (HEDDLE_UNLIKELY(rt.parked_count != 0)) {
    if (count == 0 || (free_choice && policy_tries_spinning()))
      count = collect(true, count);
    else
      rt.arena->held_back = 1;
  }
  // Nothing guarantees a spurious wake-up: where only that could help, it is a deadlock.
  const bool always = rt.request.spurious_wakeups == 1;
  if ((free_choice || always) && count != 0 && policy_wakes_spuriously())
    count = collect_spurious_wakeups(count);
  return count;
}

// What the last step does can already wake those that are asleep after it.
void take_input_step(const trace::StepRecord& step) {
  if (++follower.used >= step.count || step.kind != trace::StepKind::kRun) {
    follower.next++;
    follower.used = 0;
    if (HEDDLE_UNLIKELY(next_input_step() == nullptr)) sleep_set_begin();
  }
}

void diverge(const trace::StepRecord& step) {
  follower.diverged = true;
  rt.arena->outcome.diverged_step = rt.steps + 1;
  rt.arena->outcome.diverged_thread = step.thread;
  if (rt.request.stop_at_divergence != 0) end_diverged();
}

bool can_take(Fiber* fiber, trace::StepKind kind) {
  switch (kind) {
    case trace::StepKind::kRun:
      if (waits_for_outside(fiber->op) && !enabled(fiber)) io_wait_for(fiber);
      return enabled(fiber);
    case trace::StepKind::kTimeout:
      return fiber->op.deadline != 0 && !enabled(fiber);
    case trace::StepKind::kSpurious:
      return fiber->op.spurious && !enabled(fiber);
    default:
      return false;  // choices that are made elsewhere
  }
}

// Schedules of random policies may run a parked thread at any time.
bool may_take(Fiber* fiber, size_t candidate_count) {
  if (!fiber->parked || (rt.request.flags & trace::request_flag::kLeaveParked) == 0) return true;
  for (size_t i = 0; i < candidate_count; ++i) {
    if (candidates[i].fiber == fiber) return true;
  }
  return false;
}

// The choice that the given schedule wants; no fiber at its end.
Candidate follow_schedule(size_t candidate_count) {
  const trace::StepRecord* step = next_input_step();
  if (step == nullptr) return {};
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (fiber->schedule_id != step->thread) continue;
    if (!can_take(fiber, step->kind) || !may_take(fiber, candidate_count)) break;
    const Candidate chosen{fiber, step->kind};
    take_input_step(*step);
    return chosen;
  }
  diverge(*step);
  return {};
}

void record_step(uint32_t thread, trace::StepKind kind, uint32_t count = 1) {
  allocations_since_step = 0;
  trace::TableRecord& d = descriptor(trace::TableId::kSteps);
  if (kind == trace::StepKind::kRun && d.count > 0) {
    trace::StepRecord& last = table<trace::StepRecord>(trace::TableId::kSteps)[d.count - 1];
    if (last.thread == thread && last.kind == kind && last.count != ~0u) {
      last.count++;
      return;
    }
  }
  if (!append(trace::TableId::kSteps, trace::StepRecord{thread, kind, count, 0})) {
    fail_internal("the schedule is longer than the arena has room for");
  }
}

bool recording_choices() {
  return (rt.request.flags & trace::request_flag::kRecordChoices) != 0;
}

// Before the choice: what there is to choose from.
trace::ChoiceRecord begin_choice(size_t count) {
  return {.first_event = descriptor(trace::TableId::kEvents).count,
          .first_alternative = descriptor(trace::TableId::kAlternatives).count,
          .alternatives = static_cast<uint32_t>(count)};
}

void record_alternative(const Fiber* fiber, trace::StepKind kind) {
  if (!append(trace::TableId::kAlternatives, trace::AlternativeRecord{fiber->index, kind}))
    fail_internal("there are more alternatives than the arena has room for");
}

trace::ChoiceRecord record_candidates(size_t count) {
  const trace::ChoiceRecord choice = begin_choice(count);
  for (size_t i = 0; count > 1 && i < count; ++i) record_alternative(candidates[i].fiber, candidates[i].kind);
  return choice;
}

void record_choice(trace::ChoiceRecord choice, const Fiber* chosen, trace::StepKind kind) {
  choice.thread = chosen->index;
  choice.kind = kind;
  if (!append(trace::TableId::kChoices, choice))
    fail_internal("there are more choices than the arena has room for");
}

// Leaves out those that are asleep. The rest may be empty.
size_t keep_awake(size_t count) {
  size_t awake = 0;
  for (size_t i = 0; i < count; ++i) {
    if (!is_asleep(candidates[i])) candidates[awake++] = candidates[i];
  }
  return awake;
}

Candidate ask_policy(size_t count) {
  int current = -1;
  for (size_t i = 0; i < count; ++i) {
    if (candidates[i].fiber == rt.current) current = static_cast<int>(i);
  }
  const Op& op = rt.current->op;
  return candidates[policy_choose(candidates, count, current, op.yields, op.impatient)];
}

// Nothing is given any more.
Candidate choose_freely(size_t count) {
  if (HEDDLE_UNLIKELY(rt.sleeper_count != 0)) {
    count = keep_awake(count);
    if (count == 0) end_abandoned(trace::Abandoned::kAllAsleep);
  }
  const bool forward = spin_fast_forwards(rt.current, rt.current->op) && enabled(rt.current) &&
                       !is_asleep({rt.current, trace::StepKind::kRun});
  return forward ? Candidate{rt.current} : ask_policy(count);
}

// The main decision: who runs next. The current thread has set its op (or has finished).
Fiber* choose_next() {
  const size_t count = collect_candidates();
  if (count == 0) fail_deadlock();
  trace::ChoiceRecord choice;
  if (HEDDLE_UNLIKELY(recording_choices())) choice = record_candidates(count);
  Candidate chosen = follow_schedule(count);
  if (chosen.fiber == nullptr) chosen = choose_freely(count);
  Fiber* fiber = chosen.fiber;
  if (HEDDLE_UNLIKELY(recording_choices())) record_choice(choice, fiber, chosen.kind);

  count_step(fiber);
  record_step(fiber->index, chosen.kind);
  fiber->timed_out = chosen.kind == trace::StepKind::kTimeout;
  if (fiber->timed_out && rt.clock < fiber->op.deadline) rt.clock = fiber->op.deadline;
  if (fiber->parked) spin_release(fiber, only_spinning ? SpinEnd::kNobodyElse : SpinEnd::kTrial);
  if (fiber->blocked) {
    fiber->blocked = false;
    rt.blocked_count--;
  }
  return fiber;
}

void switch_to(Fiber* fiber) {
  Fiber* from = rt.current;
  if (fiber == from) return;
  spin_note_switch(from);
  rt.current = fiber;
  streak = 0;
  begin_slice();
  if (HEDDLE_UNLIKELY(rt.os_threads))
    pass_turn(from, fiber);
  else
    heddle_switch(from, fiber);
}

}  // namespace

// Most steps are no choice: the schedule says that the running thread goes on, or the policy is to let it.
// Then nothing has to be collected or compared.
bool simply_goes_on(const Fiber* self) {
  if (self->op.enabled != nullptr || self->op.yields || self->park_when_unlocked ||
      self->interruptions != 0 || rt.steps >= rt.request.max_steps ||
      (rt.request.flags & trace::request_flag::kRecordChoices) != 0) {
    return false;
  }
  const trace::StepRecord* step = next_input_step();
  if (step == nullptr) return rt.request.policy == trace::PolicyKind::kNonpreemptive && streak < kPatience;
  if (step->kind != trace::StepKind::kRun || step->thread != self->schedule_id) return false;
  take_input_step(*step);
  return true;
}

PointResult point(const Op& op) {
  if (HEDDLE_UNLIKELY(rt.outside_signals != 0)) take_outside_signals();
  Fiber* self = rt.current;
  self->op = op;
  if (++streak >= kPatience) self->op.yields = self->op.impatient = true;
  if (HEDDLE_LIKELY(simply_goes_on(self))) {
    count_step(self);
    record_step(self->index, trace::StepKind::kRun);
    self->timed_out = false;
    return PointResult::kGo;
  }
  if (HEDDLE_UNLIKELY(rt.steps >= rt.request.max_steps)) fail_livelock();
  spin_park_if_due(self, op);
  if (op.deadline != 0) policy_demote(self);
  if (self->op.impatient) streak = self->held_count != 0 ? kPatience - kAskAgain : 0;
  const uint32_t waits_outside = waits_for_outside(op) ? 1 : 0;
  rt.input_waiters += waits_outside;
  switch_to(choose_next());
  rt.input_waiters -= waits_outside;
  if (HEDDLE_UNLIKELY(self->interruptions != 0) && !self->timed_out && is_interrupted(self)) {
    const PointResult result = attend_to_interruption();
    self->op.enabled = nullptr;
    return result;
  }
  // What the question is about may be gone when the caller returns; a failure after that must not ask it.
  self->op.enabled = nullptr;
  return self->timed_out ? PointResult::kTimedOut : PointResult::kGo;
}

void finish_current() {
  Fiber* self = rt.current;
  self->state = FiberState::kFinished;
  order_end(self);
  uint32_t at = 0;
  while (rt.live[at] != self) ++at;
  rt.live_count--;
  for (; at < rt.live_count; ++at) rt.live[at] = rt.live[at + 1];
  wake(reinterpret_cast<uintptr_t>(self));
  self->op = {};
  switch_to(choose_next());
  __builtin_trap();
}

void wake(uintptr_t object) {
  if (rt.parked_count != 0) spin_wake(object, 1);
  if (rt.blocked_count == 0) return;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (fiber->blocked && fiber->op.object == object) {
      fiber->blocked = false;
      rt.blocked_count--;
    }
  }
}

uint32_t count_waiters(uintptr_t object, trace::WaitKind kind) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* fiber = rt.live[i];
    if (fiber->op.object == object && fiber->op.wait == kind && !fiber->signalled && fiber != rt.current) {
      waiters[count++] = fiber;
    }
  }
  return count;
}

Fiber* choose_waiter(uintptr_t object, trace::WaitKind kind) {
  const uint32_t count = count_waiters(object, kind);
  if (count == 0) return nullptr;
  if (count == 1) return waiters[0];
  Fiber* chosen = nullptr;
  const trace::StepRecord* step = next_input_step();
  if (step != nullptr && step->kind == trace::StepKind::kWake) {
    for (uint32_t i = 0; i < count; ++i) {
      if (waiters[i]->schedule_id == step->thread) chosen = waiters[i];
    }
    if (chosen != nullptr)
      take_input_step(*step);
    else
      diverge(*step);
  } else if (step != nullptr) {
    diverge(*step);
  }
  if (chosen == nullptr) chosen = waiters[policy_choose_waiter(waiters, count)];
  if (HEDDLE_UNLIKELY(recording_choices())) {
    const trace::ChoiceRecord choice = begin_choice(count);
    for (uint32_t i = 0; i < count; ++i) record_alternative(waiters[i], trace::StepKind::kWake);
    record_choice(choice, chosen, trace::StepKind::kWake);
  }
  record_step(chosen->index, trace::StepKind::kWake);
  return chosen;
}

bool choose_allocation_failure() {
  const trace::StepRecord* step = next_input_step();
  const uint32_t made = ++allocations_since_step;
  bool fails = false;
  if (step == nullptr) {
    fails = policy_fails_allocation();
  } else if (step->kind == trace::StepKind::kFail && step->thread == rt.current->schedule_id) {
    fails = step->count == made;
    if (fails) take_input_step(*step);
  }
  if (fails) record_step(rt.current->index, trace::StepKind::kFail, made);
  return fails;
}

void add_live(Fiber* fiber) {
  // Else how much it has done before there was anybody else would decide when that one begins.
  if (rt.live_count == 1 + rt.service_count) streak = 0;
  rt.live[rt.live_count++] = fiber;
  make_room_for_fibers();
  policy_add_fiber(fiber);
}

bool schedule_has_more() {
  return next_input_step() != nullptr;
}

void scheduler_init() {
  make_room_for_fibers();
}

}  // namespace heddle::rt
