// What comes after the end of a given schedule.
#include "runtime/policy.h"

namespace heddle::rt {
namespace {

// One step in so many lets spinning threads compete: rare enough not to waste steps on loops, often enough to
// see what a bounded retry does when it gives up.
inline constexpr uint64_t kTrySpinning = 3;

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
    if (static_cast<int>(i) == except || candidates[i].kind == trace::StepKind::kSpurious) continue;
    if (best == count || candidates[i].fiber->op.deadline < candidates[best].fiber->op.deadline) best = i;
  }
  return best;
}

// Nothing is owed to a wait that could end for no reason.
bool is_next(const Candidate& candidate) {
  return candidate.kind != trace::StepKind::kSpurious && can_run(candidate);
}

bool anyone_is_next(const Candidate* candidates, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (is_next(candidates[i])) return true;
  }
  return false;
}

size_t next_in_turn(const Candidate* candidates, size_t count, uint32_t after) {
  for (size_t i = 0; i < count; ++i) {
    if (is_next(candidates[i]) && candidates[i].fiber->index > after) return i;
  }
  for (size_t i = 0; i < count; ++i) {
    if (is_next(candidates[i])) return i;
  }
  return earliest_deadline(candidates, count);
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
  pct_begin_execution();
  surw_begin_execution();
  reads_from_begin_execution();
  meet_begin_execution();
}

void policy_add_fiber(Fiber* fiber) {
  if (rt.request.policy == trace::PolicyKind::kPct) pct_add_fiber(fiber);
  if (rt.request.policy == trace::PolicyKind::kSurw) surw_add_fiber(fiber);
}

// Draws nothing if the answer does not depend on it: then it may be asked at any time.
bool policy_wakes_spuriously() {
  if (rt.request.spurious_wakeups <= 1) return rt.request.spurious_wakeups == 1;
  return random_below(rt.request.spurious_wakeups) == 0;
}

bool policy_fails_allocation() {
  return rt.request.allocation_failures != 0 && random_below(rt.request.allocation_failures) == 0;
}

bool policy_tries_spinning() {
  return trace::is_random(rt.request.policy) && random_below(kTrySpinning) == 0;
}

void policy_demote(Fiber* fiber) {
  if (rt.request.policy == trace::PolicyKind::kPct) pct_demote(fiber);
}

size_t policy_choose(const Candidate* candidates, size_t count, int current, bool yields, bool impatient) {
  if (impatient && current >= 0 && count > 1 && !anyone_else_can_run(candidates, count, current))
    return earliest_deadline(candidates, count, current);
  const bool patient = (rt.request.flags & trace::request_flag::kTimeoutsWhenIdle) != 0;
  if (patient && !anyone_can_run(candidates, count)) return earliest_deadline(candidates, count);
  const Question question{candidates, count, current, yields, patient};
  switch (rt.request.policy) {
    case trace::PolicyKind::kRandom:
      return choose_uniformly(question, [&](size_t i) { return is_allowed(question, i); });
    case trace::PolicyKind::kPct:
      return pct_choose(question);
    case trace::PolicyKind::kPos:
      return pos_choose(question);
    case trace::PolicyKind::kSurw:
      return surw_choose(question);
    case trace::PolicyKind::kReadsFrom:
      return reads_from_choose(question);
    case trace::PolicyKind::kMeet:
    case trace::PolicyKind::kMeetReversed:
    case trace::PolicyKind::kDelay:
      return meet_choose(question);
    case trace::PolicyKind::kRoundRobin:
      return next_in_turn(candidates, count, rt.current->index);
    default:
      if (current >= 0 && !yields && candidates[current].kind == trace::StepKind::kRun)
        return static_cast<size_t>(current);
      if (rt.request.policy == trace::PolicyKind::kSerial && anyone_is_next(candidates, count))
        return choose_uniformly(question, [&](size_t i) { return is_next(candidates[i]); });
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
