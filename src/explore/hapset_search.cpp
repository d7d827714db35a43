#include "explore/hapset_search.h"

#include <algorithm>

namespace heddle {
namespace {

using trace::EventKind;
using trace::OperationClass;
using trace::StepKind;

// What a thread waits for cannot come after it.
bool is_enabled_by(const Effect& effect, const Effect& earlier) {
  return effect.event == EventKind::kJoin ||
         (effect.event == EventKind::kBarrierLeave && earlier.event == EventKind::kBarrierArrive);
}

}  // namespace

// After the learning runs, the deepest choice that is left to be tried.
std::optional<Plan> HapSetSearch::next() {
  if (learned_runs_ < options_.learning_runs) {
    Plan plan;
    plan.then = {.kind = trace::PolicyKind::kRandom, .seed = options_.seed + learned_runs_};
    return plan;
  }
  if (!started_) {
    started_ = true;
    return Plan{};
  }
  while (!path_.empty()) {
    Node& node = path_.back();
    for (const Choice& choice : node.backtrack) {
      if (contains(node.done, choice)) continue;
      node.done.push_back(choice);
      node.chosen = choice;
      kept_ = path_.size() - 1;
      Plan plan;
      for (const Node& step : path_) plan.prefix.push_back(step.chosen);
      plan.known = plan.prefix.size();
      return plan;
    }
    path_.pop_back();
  }
  return std::nullopt;
}

void HapSetSearch::learn(const Observation& seen) {
  executed_++;
  overhear(seen);
  if (learned_runs_ < options_.learning_runs) {
    learned_runs_++;
    return;
  }
  if (seen.diverged) return;
  grow_path(seen);
  update_backtracks(seen);
}

void HapSetSearch::overhear(const Observation& seen) {
  if (seen.outcome == trace::OutcomeKind::kOk && !seen.diverged) heddle::learn(seen, &sets_);
}

// What was learned must be learned again: the choices that it led to are gone, and nothing would lead to them
// a second time.
void HapSetSearch::begin_again() {
  sets_ = known_;
  path_.clear();
  kept_ = 0;
  started_ = false;
  learned_runs_ = 0;
}

void HapSetSearch::grow_path(const Observation& seen) {
  for (size_t i = kept_; i < seen.steps.size(); ++i) {
    if (i >= path_.size()) path_.emplace_back();
    Node& node = path_[i];
    node.chosen = seen.steps[i].chosen;
    node.alternatives = seen.steps[i].alternatives;
    if (!contains(node.done, node.chosen)) node.done.push_back(node.chosen);
    if (i > 0) node.preemptions = preemptions_with(static_cast<uint32_t>(i) - 1, path_[i - 1].chosen);
  }
}

// How many there are after `choice` has been made at that state.
uint32_t HapSetSearch::preemptions_with(uint32_t at, const Choice& choice) const {
  const Node& node = path_[at];
  if (at == 0 || choice.kind == StepKind::kWake) return node.preemptions;
  uint32_t before = at - 1;
  while (before > 0 && path_[before].chosen.kind == StepKind::kWake) --before;
  const Choice goes_on{path_[before].chosen.thread, StepKind::kRun};
  const bool preempts = choice.thread != goes_on.thread && contains(node.alternatives, goes_on);
  return node.preemptions + (preempts ? 1 : 0);
}

void HapSetSearch::update_backtracks(const Observation& seen) {
  order_.pop_to(0);
  lifetimes_.clear();
  uses_.clear();
  longest_.clear();
  waits_.clear();
  held_.clear();
  std::vector<Race> races;
  for (uint32_t i = 0; i < seen.steps.size(); ++i) {
    const ObservedStep& step = seen.steps[i];
    if (step.chosen.kind == StepKind::kWake) {
      try_waiters(seen, i);
      order_.push_wake(step.chosen.thread);
      continue;
    }
    const Effects effects = effects_of(step.operations, step.chosen);
    if (step.chosen.thread >= held_.size()) held_.resize(step.chosen.thread + 1);
    races.clear();
    order_.push(step.chosen.thread, effects, &races);
    lifetimes_.push(i, step.chosen.thread, step.operations);
    // What follows in the step is no scheduling point: its place depends on what it begins with.
    bool first =
        !step.operations.empty() && trace::class_of(step.operations[0].kind, 0) != OperationClass::kNone;
    for (Effect effect : effects) {
      effect.statement = statement_of({.statement = effect.statement}, step.chosen.kind);
      if (first) look_back(i, effect);
      first = first && effect.kind == OperationClass::kNone;
      remember(i, effect);
      note_lock(step.chosen.thread, effect);
    }
    try_timeouts(seen, i);
  }
  // Threads that could not go on are still about to do something.
  for (const PendingOperation& pending : seen.pending) {
    const auto next = static_cast<uint32_t>(order_.size());
    const Effects effects = effects_of({pending.operation}, {pending.thread, StepKind::kTimeout});
    order_.push(pending.thread, effects, &races);
    if (pending.thread >= held_.size()) held_.resize(pending.thread + 1);
    for (const Effect& effect : effects) look_back(next, effect);
    order_.pop_to(next);
  }
  if (ended_early(seen)) go_on_behind_end(seen);
}

// What a thread does that has never come to its end is not known.
void HapSetSearch::go_on_behind_end(const Observation& seen) {
  const auto last = static_cast<uint32_t>(seen.steps.size() - 1);
  for (const Choice& choice : seen.steps[last].alternatives) {
    if (choice.thread != seen.steps[last].chosen.thread && ended_.count(choice.thread) == 0)
      add_backtrack(last, choice);
  }
}

void HapSetSearch::remember(uint32_t step, const Effect& effect) {
  const uint32_t thread = order_.thread_of(step);
  if (effect.event == EventKind::kThreadEnd) ended_.insert(thread);
  if (effect.event == EventKind::kCondWait) {
    if (thread >= waits_.size()) waits_.resize(thread + 1);
    waits_[thread] = effect.statement;
  }
  if (effect.kind == OperationClass::kNone || lets_go(effect)) return;
  uint64_t& longest = longest_[effect.object];
  longest = std::max(longest, effect.end - effect.begin);
  std::vector<Use>& uses = uses_[effect.object][effect.begin];
  for (Use& use : uses) {
    if (use.thread == thread && use.effect.kind == effect.kind && use.effect.end == effect.end &&
        use.effect.releases == effect.releases && use.effect.statement == effect.statement) {
      use.step = step;
      use.held = held_[thread];
      return;
    }
  }
  uses.push_back({effect, thread, step, held_[thread]});
}

void HapSetSearch::note_lock(uint32_t thread, const Effect& effect) {
  if (effect.kind != OperationClass::kLock) return;
  Locks& held = held_[thread];
  if (effect.acquires) held.emplace_back(effect.object, effect.begin);
  if (effect.releases) std::erase(held, std::pair(effect.object, effect.begin));
}

// The paper's "may be co-enabled": neither creation and joining of threads nor a lock that both hold keeps
// one of the two from being the next step while the other one is. An order that merely follows from that of
// other steps does not count: these could change places, too, but are passed over if that has been seen.
bool HapSetSearch::may_be_next_both(const Use& use, uint32_t thread) const {
  if (lifetimes_.precedes(use.thread, use.step, thread)) return false;
  const Locks& held = held_[thread];
  return std::none_of(use.held.begin(), use.held.end(), [&](const auto& lock) {
    return std::find(held.begin(), held.end(), lock) != held.end();
  });
}

// If the thread had come to its step already before the other one: whether it could have executed it then.
bool HapSetSearch::could_go_on(uint32_t at, uint32_t step) const {
  if (!order_.was_next(step, at)) return true;
  const uint32_t thread = order_.thread_of(step);
  return std::any_of(path_[at].alternatives.begin(), path_[at].alternatives.end(),
                     [&](const Choice& choice) { return choice.thread == thread; });
}

// Algorithm 4: the latest step that depends on this one, could come after it, and whose statement has not yet
// been seen to come right after this one's.
void HapSetSearch::look_back(uint32_t step, const Effect& effect) {
  if (effect.kind == OperationClass::kNone || lets_go(effect)) return;
  const auto object = uses_.find(effect.object);
  if (object == uses_.end()) return;
  const uint32_t thread = order_.thread_of(step);
  uint32_t latest = kNoStep;
  const uint64_t longest = longest_[effect.object];
  auto at = object->second.lower_bound(effect.begin < longest ? 0 : effect.begin - longest);
  for (; at != object->second.end() && at->first < effect.end; ++at) {
    for (const Use& use : at->second) {
      if (use.thread == thread || !depend(use.effect, effect)) continue;
      if (is_enabled_by(effect, use.effect) || !could_go_on(use.step, step)) continue;
      if (latest != kNoStep && use.step <= latest) continue;
      if (!may_be_next_both(use, thread)) continue;
      if (sets_.contains({use.effect.statement, effect.statement, use.thread > thread})) {
        pruned_++;
        continue;
      }
      latest = use.step;
    }
  }
  if (latest != kNoStep) add_backtracks(latest, step);
}

// Algorithm 3: the thread that is to come first, or one that it needs; if none of them could go on, all.
void HapSetSearch::add_backtracks(uint32_t at, uint32_t step) {
  const Node& node = path_[at];
  if (!options_.preemptions) {
    const uint32_t thread = order_.thread_of(step);
    for (const Choice& choice : node.alternatives) {
      if (choice.thread == thread && choice.kind != StepKind::kWake) return add_backtrack(at, choice);
    }
    for (uint32_t i = at + 1; i < step; ++i) {
      if (!order_.precedes_anyway(i, step) || order_.thread_of(i) == order_.thread_of(at)) continue;
      for (const Choice& choice : node.alternatives) {
        if (choice.thread == order_.thread_of(i) && choice.kind != StepKind::kWake)
          return add_backtrack(at, choice);
      }
    }
  }
  for (const Choice& choice : node.alternatives) add_backtrack(at, choice);
}

void HapSetSearch::add_backtrack(uint32_t at, const Choice& choice) {
  Node& node = path_[at];
  if (contains(node.backtrack, choice) || contains(node.done, choice)) return;
  if (options_.preemptions && preemptions_with(at, choice) > *options_.preemptions) {
    pruned_++;
    return;
  }
  node.backtrack.push_back(choice);
}

// A timeout that was possible until this step.
void HapSetSearch::try_timeouts(const Observation& seen, uint32_t step) {
  size_t after = step + 1;
  while (after < seen.steps.size() && seen.steps[after].chosen.kind == StepKind::kWake) ++after;
  const ObservedStep& observed = seen.steps[step];
  for (const Choice& choice : observed.alternatives) {
    if (choice.kind != StepKind::kTimeout && choice.kind != StepKind::kSpurious) continue;
    if (choice.thread == observed.chosen.thread) continue;
    if (after < seen.steps.size() && contains(seen.steps[after].alternatives, choice)) continue;
    const uint64_t wait = choice.thread < waits_.size() ? waits_[choice.thread] : 0;
    const uint64_t early = statement_of({.statement = wait}, StepKind::kTimeout);
    const bool known =
        std::any_of(observed.operations.begin(), observed.operations.end(), [&](const Operation& o) {
          return sets_.contains({o.statement, early, observed.chosen.thread > choice.thread});
        });
    if (!known) add_backtrack(step, choice);
  }
}

// Somebody else whom the notify could have woken, if that has not been seen of one who waits there.
void HapSetSearch::try_waiters(const Observation& seen, uint32_t step) {
  if (step == 0 || seen.steps[step - 1].operations.empty()) return;
  const ObservedStep& notify = seen.steps[step - 1];
  for (const Choice& choice : seen.steps[step].alternatives) {
    const uint64_t wait = choice.thread < waits_.size() ? waits_[choice.thread] : 0;
    const bool known =
        std::any_of(notify.operations.begin(), notify.operations.end(), [&](const Operation& o) {
          return sets_.contains({wait, o.statement, choice.thread > notify.chosen.thread});
        });
    if (!known) add_backtrack(step, choice);
  }
}

Claim HapSetSearch::claim() const {
  return {.complete = false,
          .interleavings = executed_,
          .meaning = "interleavings that show two statements in an order not seen before"};
}

}  // namespace heddle
