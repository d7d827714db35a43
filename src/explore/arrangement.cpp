#include "explore/arrangement.h"

#include <algorithm>

namespace heddle {
namespace {

using trace::EventKind;

// What is in the way of another thread only for a while, or not at all.
bool can_be_rearranged(EventKind kind) {
  switch (kind) {
    case EventKind::kRead:
    case EventKind::kWrite:
    case EventKind::kAtomicRead:
    case EventKind::kAtomicWrite:
    case EventKind::kAtomicUpdate:
    case EventKind::kFree:
    case EventKind::kLock:
    case EventKind::kTryLock:
    case EventKind::kUnlock:
    case EventKind::kReadLock:
    case EventKind::kTryReadLock:
    case EventKind::kReadUnlock:
      return true;
    default:
      return false;
  }
}

template <typename T>
bool intersect(const std::set<T>& a, const std::set<T>& b) {
  return std::any_of(a.begin(), a.end(), [&](const T& item) { return b.count(item) != 0; });
}

}  // namespace

Arranger::Arranger(const Observation& seen) : seen_(seen) {
  std::vector<Race> races;
  std::vector<Locks> now;  // by thread
  for (uint32_t i = 0; i < seen_.steps.size(); ++i) {
    const ObservedStep& step = seen_.steps[i];
    if (step.chosen.kind == trace::StepKind::kWake) {
      order_.push_wake(step.chosen.thread);
      continue;
    }
    const uint32_t thread = step.chosen.thread;
    if (thread >= own_.size()) {
      own_.resize(thread + 1);
      held_.resize(thread + 1);
      now.resize(thread + 1);
    }
    own_[thread].push_back(i);
    held_[thread].push_back(now[thread]);
    Effects effects = effects_of(step.operations, step.chosen);
    for (const Effect& effect : effects) {
      if (!can_be_rearranged(effect.event)) continue;
      if (effect.acquires) now[thread].insert({effect.object, effect.begin});
      if (effect.releases) now[thread].erase({effect.object, effect.begin});
    }
    std::erase_if(effects, [](const Effect& effect) { return can_be_rearranged(effect.event); });
    order_.push(thread, effects, &races);
    races.clear();
  }
}

std::vector<Deviation> Arranger::arrange(const Sightings& found, size_t limit) const {
  struct Way {
    uint32_t distance;
    Sightings::Pair pair;
    uint32_t between;
  };
  std::vector<Way> ways;
  for (const Sightings::Pair& pair : found.pairs) {
    for (const uint32_t between : found.betweens) {
      if (order_.thread_of(between) == order_.thread_of(pair.first)) continue;
      ways.push_back({between > pair.then ? between - pair.then : pair.first - between, pair, between});
    }
  }
  std::stable_sort(ways.begin(), ways.end(),
                   [](const Way& a, const Way& b) { return a.distance < b.distance; });
  std::vector<Deviation> deviations;
  for (const Way& way : ways) {
    if (deviations.size() == limit) break;
    if (std::optional<Deviation> deviation = arrange(way.pair, way.between))
      deviations.push_back(std::move(*deviation));
  }
  return deviations;
}

std::optional<Deviation> Arranger::arrange(const Sightings::Pair& pair, uint32_t between) const {
  const uint32_t thread = order_.thread_of(pair.first);
  const uint32_t other = order_.thread_of(between);
  const bool late = between > pair.then;
  const std::optional<uint32_t> before = late ? between : stop_before(between, thread, pair.first);
  if (!before) return std::nullopt;
  const std::optional<uint32_t> stop =
      stop_between(pair, locks_taken(other, late ? pair.first : *before, between));
  if (!stop) return std::nullopt;

  Deviation deviation{.depth = late ? *stop : *before, .choices = {}};
  std::vector<bool> taken(seen_.steps.size());
  if (!late && !append(deviation.depth, step_before(thread, *stop), other, &taken, &deviation.choices))
    return std::nullopt;
  if (!append(deviation.depth, between, late ? thread : kNoStep, &taken, &deviation.choices))
    return std::nullopt;
  return deviation;
}

// The last of its thread before that step.
uint32_t Arranger::step_before(uint32_t thread, uint32_t step) const {
  const auto at = std::lower_bound(own_[thread].begin(), own_[thread].end(), step);
  return *std::prev(at);
}

// The step before which the thread of the pair holds nothing of what the other one wants.
std::optional<uint32_t> Arranger::stop_between(const Sightings::Pair& pair, const Locks& wanted) const {
  const uint32_t thread = order_.thread_of(pair.first);
  const std::vector<uint32_t>& own = own_[thread];
  for (size_t i = own.size(); i-- > 0 && own[i] > pair.first;) {
    if (own[i] <= pair.then && !intersect(held_[thread][i], wanted)) return own[i];
  }
  return std::nullopt;
}

// Likewise on the way to `between`, with what the thread takes up to its step `last`.
std::optional<uint32_t> Arranger::stop_before(uint32_t between, uint32_t thread, uint32_t last) const {
  const uint32_t other = order_.thread_of(between);
  const std::vector<uint32_t>& own = own_[other];
  auto at = static_cast<size_t>(std::lower_bound(own.begin(), own.end(), between) - own.begin());
  Locks wanted = locks_taken(thread, between, last);
  while (intersect(held_[other][at], wanted)) {
    if (at == 0) return std::nullopt;
    --at;
    wanted.merge(locks_taken(thread, own[at], own[at + 1]));
  }
  return own[at];
}

Arranger::Locks Arranger::locks_taken(uint32_t thread, uint32_t from, uint32_t to) const {
  Locks locks;
  const std::vector<uint32_t>& own = own_[thread];
  for (auto at = std::lower_bound(own.begin(), own.end(), from); at != own.end() && *at <= to; ++at) {
    for (const Operation& operation : seen_.steps[*at].operations) {
      const Effect effect = effect_of(operation);
      if (effect.acquires) locks.insert({effect.object, effect.begin});
    }
  }
  return locks;
}

// The step `last` and what it cannot do without. False if that includes a step of the thread `without`.
bool Arranger::append(uint32_t from, uint32_t last, uint32_t without, std::vector<bool>* taken,
                      std::vector<Choice>* choices) const {
  for (uint32_t i = from; i < order_.size(); ++i) {
    const bool with_last = i > last && seen_.steps[i].chosen.kind == trace::StepKind::kWake;
    if (i > last && !with_last) break;
    if ((*taken)[i] || !order_.happens_before(i, last)) continue;
    if (order_.thread_of(i) == without) return false;
    (*taken)[i] = true;
    choices->push_back(seen_.steps[i].chosen);
  }
  return true;
}

}  // namespace heddle
