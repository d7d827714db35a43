// What comes after the end of a given schedule. Each policy's guarantee is in docs/policies.md.
#include "runtime/address_space.h"
#include "runtime/dependence.h"
#include "runtime/scheduler.h"

namespace heddle::rt {
namespace {

inline constexpr size_t kMaxChangePoints = 1000;  // trace::kMaxPctDepth

// One step in so many lets spinning threads compete: rare enough not to waste steps on loops, often enough to
// see what a bounded retry does when it gives up.
inline constexpr uint64_t kTrySpinning = 3;

struct PctState {
  uint64_t* change_steps;
  uint32_t change_count;
  uint32_t change_room;
  int64_t lowest;  // priorities handed out to demoted threads fall below every earlier one
};
HEDDLE_WORLD PctState pct;

// Initial priorities lie above every change point's (1 … d), and those above every demoted one's (negative):
// a thread that waits for another one by yielding must not keep it from running.
inline constexpr int64_t kPriorityBase = int64_t{1} << 61;

inline constexpr int64_t kLowestPriority = 1;  // of a pending operation, for POS

// Steps of an execution to draw change points from when nothing has been learned yet.
inline constexpr uint64_t kDefaultPctLength = 100;

// A wait whose time has come counts as able to run.
bool can_run(const Candidate& candidate) {
  return candidate.kind != trace::StepKind::kTimeout || candidate.fiber->op.deadline <= rt.clock;
}

bool anyone_can_run(const Candidate* candidates, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (can_run(candidates[i])) return true;
  }
  return false;
}

bool anyone_else_can_run(const Candidate* candidates, size_t count, int current) {
  for (size_t i = 0; i < count; ++i) {
    if (static_cast<int>(i) != current && can_run(candidates[i])) return true;
  }
  return false;
}

// Not counting `except`, if it is one of them; there are others.
size_t earliest_deadline(const Candidate* candidates, size_t count, int except = -1) {
  size_t best = count;
  for (size_t i = 0; i < count; ++i) {
    if (static_cast<int>(i) == except) continue;
    if (best == count || candidates[i].fiber->op.deadline < candidates[best].fiber->op.deadline) best = i;
  }
  return best;
}

size_t next_in_turn(const Candidate* candidates, size_t count, uint32_t after) {
  for (size_t i = 0; i < count; ++i) {
    if (can_run(candidates[i]) && candidates[i].fiber->index > after) return i;
  }
  for (size_t i = 0; i < count; ++i) {
    if (can_run(candidates[i])) return i;
  }
  return earliest_deadline(candidates, count);
}

size_t choose_random(size_t count, int current, bool yields) {
  if (yields && current >= 0 && count > 1) {
    size_t i = random_below(count - 1);
    return i + (i >= static_cast<size_t>(current) ? 1 : 0);
  }
  return random_below(count);
}

// As choose_random, but only among those that can run without letting time pass; there are some.
size_t choose_random_of_runnable(const Candidate* candidates, size_t count, int current, bool yields) {
  size_t runnable = 0;
  for (size_t i = 0; i < count; ++i) runnable += can_run(candidates[i]) ? 1 : 0;
  const bool skips = yields && current >= 0 && runnable > 1 && can_run(candidates[current]);
  size_t left = random_below(skips ? runnable - 1 : runnable);
  for (size_t i = 0;; ++i) {
    if (!can_run(candidates[i]) || (skips && i == static_cast<size_t>(current))) continue;
    if (left-- == 0) return i;
  }
}

size_t choose_by_priority(const Candidate* candidates, size_t count, int current, bool yields,
                          bool only_runnable) {
  for (uint32_t i = 0; i < pct.change_count; ++i) {
    if (pct.change_steps[i] == rt.steps + 1 && current >= 0) rt.current->priority = i + 1;
  }
  if (yields) policy_demote(rt.current);
  size_t best = count;
  for (size_t i = 0; i < count; ++i) {
    if (only_runnable && !can_run(candidates[i])) continue;
    if (best == count || candidates[i].fiber->priority > candidates[best].fiber->priority) best = i;
  }
  return best;
}

// Partial-order sampling: each pending operation has a priority of its own, and the order of two operations
// that conflict is drawn anew once one of them has been executed. Priority 0: not drawn yet.
size_t choose_by_operation(const Candidate* candidates, size_t count, bool yields, bool only_runnable) {
  if (yields) rt.current->priority = kLowestPriority;
  size_t best = count;
  for (size_t i = 0; i < count; ++i) {
    Fiber* fiber = candidates[i].fiber;
    if (fiber->priority == 0)
      fiber->priority = kLowestPriority + 1 + static_cast<int64_t>(next_random() >> 2);
    if (only_runnable && !can_run(candidates[i])) continue;
    if (best == count || fiber->priority > candidates[best].fiber->priority) best = i;
  }
  Fiber* chosen = candidates[best].fiber;
  for (uint32_t i = 0; i < rt.live_count; ++i) {
    Fiber* other = rt.live[i];
    if (other == chosen || depends(other->op, chosen->op)) other->priority = 0;
  }
  return best;
}

}  // namespace

uint64_t next_random() {
  uint64_t a = rt.random_state[0];
  const uint64_t b = rt.random_state[1];
  rt.random_state[0] = b;
  a ^= a << 23;
  rt.random_state[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
  return rt.random_state[1] + b;
}

void policy_begin_execution() {
  uint64_t seed = rt.request.seed;
  for (uint64_t& word : rt.random_state) {  // splitmix64
    seed += 0x9e3779b97f4a7c15ull;
    uint64_t z = seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    word = z ^ (z >> 31);
  }
  pct.change_count = 0;
  pct.lowest = 0;
  if (rt.request.policy == trace::PolicyKind::kPct) {
    const uint64_t length = rt.request.pct_length != 0 ? rt.request.pct_length : kDefaultPctLength;
    const uint32_t changes = rt.request.pct_depth > 0 ? rt.request.pct_depth - 1 : 0;
    pct.change_count = changes < kMaxChangePoints ? changes : kMaxChangePoints;
    if (pct.change_room < pct.change_count) {
      pct.change_steps = static_cast<uint64_t*>(own_memory(pct.change_count * sizeof(uint64_t)));
      pct.change_room = pct.change_count;
    }
    for (uint32_t i = 0; i < pct.change_count; ++i) pct.change_steps[i] = 1 + random_below(length);
  }
}

void policy_add_fiber(Fiber* fiber) {
  if (rt.request.policy == trace::PolicyKind::kPct)
    fiber->priority = kPriorityBase + static_cast<int64_t>(next_random() >> 4);
}

bool policy_wakes_spuriously() {
  return rt.request.spurious_wakeups != 0 && random_below(rt.request.spurious_wakeups) == 0;
}

bool policy_fails_allocation() {
  return rt.request.allocation_failures != 0 && random_below(rt.request.allocation_failures) == 0;
}

bool policy_tries_spinning() {
  return trace::is_random(rt.request.policy) && random_below(kTrySpinning) == 0;
}

void policy_demote(Fiber* fiber) {
  if (rt.request.policy == trace::PolicyKind::kPct) fiber->priority = --pct.lowest;
}

size_t policy_choose(const Candidate* candidates, size_t count, int current, bool yields, bool impatient) {
  if (impatient && current >= 0 && count > 1 && !anyone_else_can_run(candidates, count, current))
    return earliest_deadline(candidates, count, current);
  const bool patient = (rt.request.flags & trace::request_flag::kTimeoutsWhenIdle) != 0;
  if (patient && !anyone_can_run(candidates, count)) return earliest_deadline(candidates, count);
  switch (rt.request.policy) {
    case trace::PolicyKind::kRandom:
      return patient ? choose_random_of_runnable(candidates, count, current, yields)
                     : choose_random(count, current, yields);
    case trace::PolicyKind::kPct:
      return choose_by_priority(candidates, count, current, yields, patient);
    case trace::PolicyKind::kPos:
      return choose_by_operation(candidates, count, yields, patient);
    case trace::PolicyKind::kRoundRobin:
      return next_in_turn(candidates, count, rt.current->index);
    default:
      if (current >= 0 && !yields && candidates[current].kind == trace::StepKind::kRun)
        return static_cast<size_t>(current);
      return next_in_turn(candidates, count, rt.current->index);
  }
}

size_t policy_choose_waiter(Fiber* const* waiters, size_t count) {
  if (trace::is_random(rt.request.policy)) return random_below(count);
  size_t first = 0;
  for (size_t i = 1; i < count; ++i) {
    if (waiters[i]->wait_order < waiters[first]->wait_order) first = i;
  }
  return first;
}

}  // namespace heddle::rt
