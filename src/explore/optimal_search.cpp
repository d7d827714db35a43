#include "explore/optimal_search.h"

#include <algorithm>

#include "support/check.h"

namespace heddle {
namespace {

using trace::OperationClass;
using trace::StepKind;

const std::shared_ptr<const Effects> kEverything =
    std::make_shared<const Effects>(Effects{{.kind = OperationClass::kEverything}});

// What a step can do at most if it is executed earlier: what failed may succeed then.
std::shared_ptr<const Effects> at_most(const std::shared_ptr<const Effects>& effects) {
  const bool failed = std::any_of(effects->begin(), effects->end(),
                                  [](const Effect& effect) { return effect.kind != effect.at_most; });
  if (!failed) return effects;
  Effects stronger = *effects;
  for (Effect& effect : stronger) {
    if (effect.kind != OperationClass::kEverything) effect.kind = effect.at_most;
  }
  return std::make_shared<const Effects>(std::move(stronger));
}

bool only_looked(const Effects& effects) {
  return std::any_of(effects.begin(), effects.end(),
                     [](const Effect& effect) { return effect.kind != effect.at_most; });
}

std::vector<Move> asleep_after(const std::vector<Move>& asleep, const Move& step) {
  std::vector<Move> left;
  for (const Move& move : asleep) {
    if (move.process != step.process && !depend(*move.effects, *step.effects)) left.push_back(move);
  }
  return left;
}

}  // namespace

// Backtracks to the deepest state from which there is something left to do.
std::optional<Plan> OptimalSearch::next() {
  if (!started_) {
    started_ = true;
    return Plan{};
  }
  if (gave_up_ && path_.back().todo == 0) {  // on from where the branch could not be followed any further
    gave_up_ = false;
    planned_ = path_.size() - 1;
    return plan_of_path();
  }
  while (!path_.empty() && path_.back().todo == 0) path_.pop_back();
  if (path_.empty()) return std::nullopt;
  take_branch();
  return plan_of_path();
}

void OptimalSearch::take_branch() {
  if (!gave_up_) {
    kept_ = path_.size() - 1;
    Node& node = path_.back();
    if (node.ends_process) node.move.effects = kEverything;
    node.ends_process = false;
    node.asleep.push_back(std::move(node.move));
  }
  gave_up_ = false;
  WakeupForest::Branch branch = forest_.take_first(&path_.back().todo);
  path_.back().move = std::move(branch.move);
  while (branch.rest != 0) {
    Node& node = path_.emplace_back();
    node.asleep = asleep_after(path_[path_.size() - 2].asleep, path_[path_.size() - 2].move);
    node.todo = branch.rest;
    branch = forest_.take_first(&node.todo);
    node.move = std::move(branch.move);
  }
  planned_ = path_.size();
  wakes_all_ = path_.back().move.effects == kEverything;
}

Plan OptimalSearch::plan_of_path() const {
  Plan plan;
  plan.prefix.reserve(planned_);
  plan.known = std::min(kept_, planned_);
  for (size_t i = 0; i < planned_; ++i) plan.prefix.push_back(path_[i].move.choice);
  if (planned_ == 0 || wakes_all_) return plan;
  for (const Move& move : asleep_after(path_[planned_ - 1].asleep, path_[planned_ - 1].move)) {
    if (move.effects != kEverything) plan.asleep.push_back({move.choice, only_looked(*move.effects)});
  }
  return plan;
}

void OptimalSearch::learn(const Observation& seen) {
  if (seen.diverged) {
    if (seen.steps.size() < kept_) repeats_differ_ = true;
    give_up_branch(seen.steps.size());
    return;
  }
  executed_ += seen.blocked ? 0 : 1;
  grow_path(seen);
  reverse_all();
  if (ended_early(seen)) go_on_without_last_step(seen);
}

// The branch was not possible: a race was taken to be reversible that is not. What others may count on is
// that the rest of the branch is explored.
void OptimalSearch::give_up_branch(size_t executed) {
  if (executed < kept_) {  // not even what was executed before: the program is not deterministic
    for (Node& node : path_) forest_.clear(&node.todo);
    path_.clear();
    return;
  }
  while (path_.size() > executed + 1) {
    forest_.clear(&path_.back().todo);
    path_.pop_back();
  }
  gave_up_ = executed > kept_;
}

void OptimalSearch::grow_path(const Observation& seen) {
  order_.pop_to(kept_);
  for (size_t i = 0; i < kept_; ++i) {
    if (seen.steps[i].alternatives != path_[i].alternatives) repeats_differ_ = true;
  }
  while (!unsettled_.empty() && unsettled_.back().second >= kept_) unsettled_.pop_back();
  to_reverse_ = std::move(unsettled_);
  unsettled_.clear();
  for (size_t i = kept_; i < seen.steps.size(); ++i) add_step(seen.steps[i], i);
  add_timeouts(seen);
  add_pending(seen);
}

void OptimalSearch::add_step(const ObservedStep& step, size_t index) {
  if (index >= path_.size()) path_.emplace_back();
  Node& node = path_[index];
  if (index > kept_) node.asleep = asleep_after(path_[index - 1].asleep, path_[index - 1].move);
  if (index == planned_ && wakes_all_) node.asleep.clear();
  node.alternatives = step.alternatives;
  const bool wakes = step.chosen.kind == StepKind::kWake;
  node.move.choice = step.chosen;
  node.move.process = wakes ? path_[index - 1].move.process : step.chosen.thread;
  if (wakes) {
    node.move.effects = path_[index - 1].move.effects;
    order_.push_wake(step.chosen.thread);
    branch_over_waiters();
    return;
  }
  Effects effects = effects_of(step.operations, step.chosen);
  std::vector<Race> races;
  order_.push(step.chosen.thread, effects, &races);
  node.move.effects = std::make_shared<const Effects>(std::move(effects));
  for (const Race& race : races) add_race(race, static_cast<uint32_t>(index), node.move);
}

// If something is asleep, whatever wakes it comes with the branch that it is needed for.
void OptimalSearch::branch_over_waiters() {
  Node& node = path_[order_.size() - 1];
  if (!node.asleep.empty()) return;
  for (const Choice& choice : node.alternatives) {
    if (choice == node.move.choice || forest_.has(node.todo, choice)) continue;
    forest_.add_branch(&node.todo, {choice, node.move.process, node.move.effects});
  }
}

void OptimalSearch::add_race(const Race& race, uint32_t second, const Move& move) {
  Choice choice = move.choice;
  const bool can_time_out = move.choice.kind == StepKind::kTimeout ||
                            std::any_of(move.effects->begin(), move.effects->end(),
                                        [](const Effect& effect) { return effect.timed; });
  if (race.by_timeout && can_time_out) choice.kind = StepKind::kTimeout;
  const auto effects = at_most(move.effects);
  const bool uncertain = std::any_of(effects->begin(), effects->end(), may_fail);
  to_reverse_.push_back(
      {race.first, second, race.by_timeout, {choice, move.process, effects, uncertain}, race.past});
}

// What could have timed out until a step made that impossible.
void OptimalSearch::add_timeouts(const Observation& seen) {
  for (size_t i = kept_; i < seen.steps.size(); ++i) {
    size_t after = i + 1;
    while (after < seen.steps.size() && seen.steps[after].chosen.kind == StepKind::kWake) ++after;
    for (const Choice& choice : seen.steps[i].alternatives) {
      if (choice.kind != StepKind::kTimeout && choice.kind != StepKind::kSpurious) continue;
      if (choice.thread == seen.steps[i].chosen.thread) continue;
      if (after < seen.steps.size() && contains(seen.steps[after].alternatives, choice)) continue;
      const auto step = static_cast<uint32_t>(i);
      // Where only a spurious wake-up could help, there is none: any step can be the one that makes it so.
      const bool at_the_end = choice.kind == StepKind::kSpurious && after == seen.steps.size();
      to_reverse_.push_back(
          {step,
           step,
           true,
           {choice, choice.thread, at_the_end ? kEverything : effects_of_next(seen, i, choice.thread)},
           {}});
    }
  }
}

// A thread that did not time out did what it waited for later, or waits still.
std::shared_ptr<const Effects> OptimalSearch::effects_of_next(const Observation& seen, size_t from,
                                                              uint32_t thread) const {
  for (size_t i = from + 1; i < seen.steps.size(); ++i) {
    const ObservedStep& step = seen.steps[i];
    if (step.chosen.thread != thread || step.chosen.kind == StepKind::kWake || step.operations.empty())
      continue;
    return std::make_shared<const Effects>(Effects{effect_of(step.operations[0])});
  }
  for (const PendingOperation& pending : seen.pending) {
    if (pending.thread == thread && pending.operation.kind != trace::EventKind::kNone)
      return std::make_shared<const Effects>(Effects{effect_of(pending.operation)});
  }
  return kEverything;
}

// Threads that were stuck at the end have races like others.
void OptimalSearch::add_pending(const Observation& seen) {
  for (const PendingOperation& pending : seen.pending) {
    if (ended_early(seen) && contains(seen.steps.back().alternatives, {pending.thread})) continue;
    const Effects effects = effects_of({pending.operation}, {pending.thread, StepKind::kTimeout});
    std::vector<Race> races;
    order_.races_of_stuck(pending.thread, effects, &races);
    const Move move{{pending.thread}, pending.thread, std::make_shared<const Effects>(effects)};
    for (const Race& race : races) add_race(race, kNoStep, move);
  }
}

void OptimalSearch::go_on_without_last_step(const Observation& seen) {
  Node& last = path_.back();
  last.ends_process = true;
  if (last.todo != 0) return;
  for (const Choice& choice : last.alternatives) {
    const bool explored = std::any_of(last.asleep.begin(), last.asleep.end(),
                                      [&](const Move& move) { return move.choice == choice; });
    if (explored || choice.thread == last.move.process) continue;
    const auto effects = effects_of_next(seen, seen.steps.size(), choice.thread);
    forest_.add_branch(&last.todo, {choice, choice.thread, effects});
    return;
  }
}

void OptimalSearch::reverse_all() {
  for (Reversal& reversal : to_reverse_) {
    const bool settled = reverse(reversal);
    if (!settled && reversal.second != kNoStep) unsettled_.push_back(std::move(reversal));
  }
  to_reverse_.clear();
  std::stable_sort(unsettled_.begin(), unsettled_.end(),
                   [](const Reversal& a, const Reversal& b) { return a.second < b.second; });
}

// Returns whether the same race need not be considered again in other executions.
bool OptimalSearch::reverse(Reversal& reversal) {
  Node& node = path_[reversal.first];
  Sequence sequence = essential_part(reversal);
  if (!find_choice(&reversal, sequence)) return true;
  std::vector<const Move*> independent;
  for (const Move& move : node.asleep) {
    const Relation found = relation(move, sequence, true);
    if (found.kind == Relation::kInitial) return true;
    if (found.kind == Relation::kIndependent) independent.push_back(&move);
  }
  size_t needed = 0;
  if (!independent.empty() || node.todo != 0) add_rest(reversal, &sequence);
  for (const Move* move : independent) {
    const Relation found = relation(*move, sequence, false);
    if (found.kind != Relation::kConflicts) return false;
    needed = std::max(needed, found.item + 1);
  }
  return forest_.insert(&node.todo, &sequence, needed);
}

// Whether the second step was possible before the first one, and how. If nothing else must come between, it
// was seen there. Otherwise it depends on what the thread would have come to; a wrong guess costs an
// execution.
bool OptimalSearch::find_choice(Reversal* reversal, const Sequence& sequence) const {
  Choice& choice = reversal->move.choice;
  const Node& node = path_[reversal->first];
  if (sequence.items.size() == 1) {
    if (contains(node.alternatives, choice)) return true;
    const auto same_thread = std::find_if(
        node.alternatives.begin(), node.alternatives.end(),
        [&](const Choice& other) { return other.thread == choice.thread && other.kind != StepKind::kWake; });
    if (same_thread == node.alternatives.end()) return false;
    choice = *same_thread;
    return true;
  }
  for (const Effect& effect : *reversal->move.effects) {
    if (effect.kind == OperationClass::kWait) return true;
    // What timed out because of the first step would have succeeded before it.
    if (choice.kind == StepKind::kTimeout && !reversal->by_timeout) choice.kind = StepKind::kRun;
    if (effect.event != trace::EventKind::kSemWait) continue;
    const std::optional<bool> available = is_available(effect, node, sequence);
    if (!available || *available) continue;
    if (!effect.timed) return false;
    choice.kind = StepKind::kTimeout;
  }
  return true;
}

// Whether a semaphore that the node's step posts could be taken before, after the sequence.
std::optional<bool> OptimalSearch::is_available(const Effect& take, const Node& node,
                                                const Sequence& sequence) const {
  uint32_t value = 0;
  for (const Effect& effect : *node.move.effects) {
    if (effect.kind != OperationClass::kPost || !overlap(effect, take)) continue;
    if (effect.value == 0) return std::nullopt;
    value = effect.value;
  }
  if (value == 0) return std::nullopt;
  for (const Sequence::Item& item : sequence.items) {
    for (const Effect& effect : *item.move->effects)
      value += effect.kind == OperationClass::kPost && overlap(effect, take) ? 1 : 0;
  }
  return value > 1;
}

Sequence OptimalSearch::essential_part(const Reversal& reversal) const {
  Sequence sequence;
  const size_t end = reversal.second == kNoStep ? order_.size() : reversal.second;
  for (size_t i = reversal.first + 1; i < end; ++i) {
    if (order_.is_in(reversal.past, i) && !order_.happens_before(reversal.first, i))
      sequence.items.push_back({&path_[i].move});
  }
  sequence.items.push_back({&reversal.move});
  return sequence;
}

// All the rest that does not happen after the first step, in the order of the execution.
void OptimalSearch::add_rest(const Reversal& reversal, Sequence* sequence) const {
  std::vector<Sequence::Item> all;
  size_t next = 0;
  for (size_t i = reversal.first + 1; i < order_.size(); ++i) {
    if (next < sequence->items.size() && sequence->items[next].move == &path_[i].move) {
      all.push_back(sequence->items[next++]);
    } else if (i != reversal.second && !order_.happens_before(reversal.first, i)) {
      all.push_back({&path_[i].move, false});
    }
  }
  all.push_back(sequence->items.back());
  sequence->items = std::move(all);
}

Claim OptimalSearch::claim() const {
  return {.complete = path_.empty() && started_ && !repeats_differ_,
          .interleavings = executed_,
          .meaning = "one of each class of equivalent ones"};
}

}  // namespace heddle
