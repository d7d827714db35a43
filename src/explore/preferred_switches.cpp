#include "explore/preferred_switches.h"

#include <algorithm>
#include <map>

#include "explore/effect.h"

namespace heddle {

bool PreferredSwitchSearch::may_pay_at(const ObservedStep& step) const {
  return std::any_of(step.operations.begin(), step.operations.end(),
                     [&](const Operation& operation) { return places_.count(operation.place) != 0; });
}

void PreferringSearch::learn(const Observation& seen) {
  std::unordered_set<uint64_t> preferred;
  for (const ObservedStep& step : seen.steps)
    for (const Operation& operation : step.operations)
      if (operation.is_preferred) preferred.insert(operation.place);
  places_.merge(places_around(seen, preferred));
  PreemptionBoundedSearch::learn(seen);
}

bool PreferringSearch::is_preferred(const ObservedStep& step) const {
  return std::any_of(step.operations.begin(), step.operations.end(),
                     [&](const Operation& operation) { return places_.count(operation.place) != 0; });
}

std::string PreferredSwitchSearch::meaning() const {
  return PreemptionBoundedSearch::meaning() + ", all before one of " + std::to_string(places_.size()) +
         (places_.size() == 1 ? " place" : " places");
}

std::unordered_set<uint64_t> places_around(const Observation& seen,
                                           const std::unordered_set<uint64_t>& places) {
  std::unordered_map<uint64_t, std::vector<Effect>> by_object;  // what the given places do
  for (const ObservedStep& step : seen.steps) {
    for (const Operation& operation : step.operations) {
      if (places.count(operation.place) == 0) continue;
      const Effect effect = effect_of(operation);
      std::vector<Effect>& known = by_object[effect.object];
      const bool is_new = std::none_of(known.begin(), known.end(), [&](const Effect& other) {
        return other.kind == effect.kind && other.begin == effect.begin && other.end == effect.end;
      });
      if (is_new) known.push_back(effect);
    }
  }
  std::unordered_set<uint64_t> around = places;
  using Lock = std::pair<uint64_t, uint64_t>;             // object and offset
  std::map<uint32_t, std::map<Lock, uint64_t>> taken_at;  // by thread: the place, for each lock that it holds
  for (const ObservedStep& step : seen.steps) {
    std::map<Lock, uint64_t>& held = taken_at[step.chosen.thread];
    for (const Operation& operation : step.operations) {
      const Effect effect = effect_of(operation);
      if (effect.releases) held.erase({effect.object, effect.begin});
      const auto others = by_object.find(effect.object);
      const bool conflicts = others != by_object.end() &&
                             std::any_of(others->second.begin(), others->second.end(),
                                         [&](const Effect& other) { return depend(other, effect); });
      if (conflicts || places.count(operation.place) != 0) {
        around.insert(operation.place);
        for (const auto& [lock, place] : held) around.insert(place);
      }
      if (effect.acquires) held[{effect.object, effect.begin}] = operation.place;
    }
  }
  return around;
}

}  // namespace heddle
