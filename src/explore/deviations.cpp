#include "explore/deviations.h"

#include <algorithm>

namespace heddle {
namespace {

using trace::EventKind;
using trace::StepKind;

// Of the accesses of a target, only so many are looked at to tell what helps.
constexpr size_t kMaxSightings = 64;
constexpr size_t kMaxArrangements = 8;  // for one target in one execution
constexpr uint32_t kPriceOfArrangement = 1;
constexpr uint32_t kPriceIfItHelps = 2;
constexpr uint32_t kPriceOfOthers = 5;
// Stands for the order of a target's accesses; its number is added.
constexpr uint64_t kTargetObject = 0x6865'6464'6c65'0000;

template <typename T>
void keep_first(std::vector<T>* list) {
  if (list->size() > kMaxSightings) list->resize(kMaxSightings);
}

}  // namespace

Deviations::Deviations(const Observation& seen, std::span<const Target> targets)
    : seen_(seen), targets_(targets) {
  for (const Target& target : targets_) {
    Sightings& found = sightings_.emplace_back(look_for(target, seen));
    keep_first(&found.pairs);
    keep_first(&found.betweens);
  }
  for (uint32_t i = 0; i < seen_.steps.size(); ++i) add_step(i);
  add_pending();
}

// What others do between the accesses of one thread matters to it as if they wrote what it reads.
void Deviations::mark(const std::vector<Operation>& operations, Effects* effects) const {
  for (const Operation& operation : operations) {
    for (size_t i = 0; i < targets_.size(); ++i) {
      const Target& target = targets_[i];
      const bool between = operation.place == target.between;
      if (!between && operation.place != target.first && operation.place != target.then) continue;
      effects->push_back(effect_of(
          {.kind = between ? EventKind::kAtomicWrite : EventKind::kAtomicRead, .object = kTargetObject + i}));
    }
  }
}

void Deviations::add_step(uint32_t step) {
  const ObservedStep& observed = seen_.steps[step];
  if (observed.chosen.kind == StepKind::kWake) {
    order_.push_wake(observed.chosen.thread);
    return;
  }
  Effects effects = effects_of(observed.operations, observed.chosen);
  mark(observed.operations, &effects);
  std::vector<Race> races;
  order_.push(observed.chosen.thread, effects, &races);
  add_reversals(races, step, observed.chosen, effects);
}

void Deviations::add_pending() {
  for (const PendingOperation& pending : seen_.pending) {
    if (ended_early(seen_) && contains(seen_.steps.back().alternatives, {pending.thread})) continue;
    Effects effects = effects_of({pending.operation}, {pending.thread, StepKind::kTimeout});
    mark({pending.operation}, &effects);
    std::vector<Race> races;
    order_.races_of_stuck(pending.thread, effects, &races);
    add_reversals(races, kNoStep, {pending.thread}, effects);
  }
}

// Whether a wait would have ended by its timeout is not known: both are tried.
void Deviations::add_reversals(std::vector<Race>& races, uint32_t second, const Choice& choice,
                               const Effects& effects) {
  const bool timed =
      choice.kind == StepKind::kTimeout ||
      std::any_of(effects.begin(), effects.end(), [](const Effect& effect) { return effect.timed; });
  for (Race& race : races) {
    const bool helpful = helps(race, second);
    if (timed) {
      reversals_.push_back({race, second, {choice.thread, StepKind::kTimeout}, helpful});
      reversals_.push_back({std::move(race), second, {choice.thread, StepKind::kRun}, helpful});
    } else {
      reversals_.push_back({std::move(race), second, choice, helpful});
    }
  }
}

// `between` came too late: a step of its thread on the way to it shall come before one on the way from
// `first` to `then`. Or it came too early: a step on the way to `first` shall come before one on the way to
// it.
bool Deviations::helps(const Sightings& found, uint32_t first, uint32_t second) const {
  const uint32_t delayed = order_.thread_of(first);
  const uint32_t advanced = order_.thread_of(second);
  const auto thread_of = [&](uint32_t step) { return seen_.steps[step].chosen.thread; };
  uint32_t last_between = 0, last_first = 0;  // of the thread whose step shall come earlier
  for (const uint32_t between : found.betweens) {
    if (thread_of(between) == advanced) last_between = between;
  }
  for (const Sightings::Pair& pair : found.pairs) {
    if (thread_of(pair.first) == advanced) last_first = std::max(last_first, pair.first);
    const bool inside = thread_of(pair.first) == delayed && first > pair.first && first <= pair.then;
    if (inside && last_between >= second && last_between > pair.then) return true;
  }
  return last_first >= second &&
         std::any_of(found.betweens.begin(), found.betweens.end(), [&](uint32_t between) {
           return thread_of(between) == delayed && between >= first && between < last_first;
         });
}

bool Deviations::helps(const Race& race, uint32_t second) const {
  if (second == kNoStep) return false;
  return std::any_of(sightings_.begin(), sightings_.end(),
                     [&](const Sightings& found) { return helps(found, race.first, second); });
}

uint64_t Deviations::hash() const {
  uint64_t sum = 0;
  for (size_t i = 0; i < order_.size(); ++i) {
    const Choice& chosen = seen_.steps[i].chosen;
    sum += (order_.hash_of(i) ^ chosen.thread) * (2 * static_cast<uint64_t>(chosen.kind) + 1);
  }
  return sum;
}

std::vector<Deviation> Deviations::list(size_t limit) {
  std::stable_partition(reversals_.begin(), reversals_.end(),
                        [](const Reversal& reversal) { return reversal.helps; });
  std::vector<Deviation> found;
  add_arrangements(&found);
  limit += found.size();
  for (const Reversal& reversal : reversals_) {
    if (found.size() == limit) break;
    if (std::optional<Deviation> deviation = reverse(reversal)) found.push_back(std::move(*deviation));
  }
  add_other_choices(&found);
  cut_off_ = found.size() > limit || reversals_.size() > limit;
  if (found.size() > limit) found.resize(limit);
  return found;
}

// One for each target, then the second for each, and so on.
void Deviations::add_arrangements(std::vector<Deviation>* found) const {
  const Arranger arranger(seen_);
  for (size_t target = 0; target < sightings_.size(); ++target) {
    uint32_t price = kPriceOfArrangement;
    for (Deviation& arrangement : arranger.arrange(sightings_[target], kMaxArrangements)) {
      arrangement.price = price++;
      arrangement.only_for = target;
      found->push_back(std::move(arrangement));
    }
  }
}

std::optional<Deviation> Deviations::reverse(const Reversal& reversal) const {
  const uint32_t first = reversal.race.first;
  Deviation deviation{
      .depth = first, .choices = {}, .price = reversal.helps ? kPriceIfItHelps : kPriceOfOthers};
  const size_t end = reversal.second == kNoStep ? order_.size() : reversal.second;
  for (size_t i = first + 1; i < end; ++i) {
    if (order_.is_in(reversal.race.past, i) && !order_.happens_before(first, i))
      deviation.choices.push_back(seen_.steps[i].chosen);
  }
  // If nothing else must come before it, what was possible then is known.
  if (deviation.choices.empty() && !contains(seen_.steps[first].alternatives, reversal.choice))
    return std::nullopt;
  deviation.choices.push_back(reversal.choice);
  return deviation;
}

void Deviations::add_other_choices(std::vector<Deviation>* found) const {
  for (uint32_t i = 0; i < seen_.steps.size(); ++i) {
    const ObservedStep& step = seen_.steps[i];
    size_t after = i + 1;
    while (after < seen_.steps.size() && seen_.steps[after].chosen.kind == StepKind::kWake) ++after;
    const bool ends = i + 1 == seen_.steps.size() && ended_early(seen_);
    for (const Choice& choice : step.alternatives) {
      if (choice == step.chosen) continue;
      // A timeout matters where it is possible for the last time: before, it races with others.
      const bool timeout = choice.kind == StepKind::kTimeout || choice.kind == StepKind::kSpurious;
      const bool goes = after == seen_.steps.size() || !contains(seen_.steps[after].alternatives, choice);
      if (choice.kind == StepKind::kWake || (timeout && goes) || ends)
        found->push_back({.depth = i, .choices = {choice}, .price = kPriceOfOthers});
    }
  }
}

}  // namespace heddle
