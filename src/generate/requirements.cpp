#include "generate/requirements.h"

#include <algorithm>
#include <utility>

#include "generate/keys.h"
#include "trace/hash.h"

namespace heddle::generate {
namespace {

// Other tests with the same calls at the same sites come from other states of the object, and may succeed.
constexpr uint32_t kMostAttempts = 3;
// After these, another one each time that it has been predicted so many times as often.
constexpr uint64_t kBackOff = 2;

void count(const Requirement& requirement, Requirements::Counts* counts) {
  ++counts->found;
  if (requirement.is_covered) {
    ++counts->covered;
  } else if (requirement.attempts >= kMostAttempts) {
    ++counts->infeasible;
  }
}

}  // namespace

uint64_t requirement_place(uint64_t site, std::string_view method) {
  return mix(site, trace::fnv1a(method));
}

uint64_t requirement_key(PredictionKind kind, uint32_t pattern, std::vector<uint64_t> places) {
  if (kind == PredictionKind::kRace || kind == PredictionKind::kDeadlock)
    std::sort(places.begin(), places.end());
  uint64_t key = mix(static_cast<uint64_t>(kind), pattern);
  for (const uint64_t place : places) key = mix(key, place);
  return key;
}

bool Requirements::add(Requirement requirement) {
  const uint64_t key = requirement.key;
  const auto [at, is_new] = requirements_.emplace(key, std::move(requirement));
  ++at->second.predictions;
  return is_new;
}

bool Requirements::is_covered(uint64_t key) const {
  const auto at = requirements_.find(key);
  return at != requirements_.end() && at->second.is_covered;
}

bool Requirements::is_settled(uint64_t key) const {
  const auto at = requirements_.find(key);
  return at != requirements_.end() &&
         (at->second.is_covered || at->second.predictions < at->second.next_attempt);
}

void Requirements::cover(uint64_t key) {
  requirements_[key].is_covered = true;
}

void Requirements::miss(uint64_t key) {
  Requirement& requirement = requirements_[key];
  if (++requirement.attempts >= kMostAttempts) requirement.next_attempt = kBackOff * requirement.predictions;
}

Requirements::Counts Requirements::counts() const {
  Counts counts;
  for (const auto& [key, requirement] : requirements_) count(requirement, &counts);
  return counts;
}

std::map<std::string, Requirements::Counts> Requirements::by_methods() const {
  std::map<std::string, Counts> counts;
  for (const auto& [key, requirement] : requirements_) count(requirement, &counts[requirement.methods]);
  return counts;
}

std::vector<uint64_t> Requirements::covered_keys() const {
  std::vector<uint64_t> keys;
  for (const auto& [key, requirement] : requirements_)
    if (requirement.is_covered) keys.push_back(key);
  return keys;
}

}  // namespace heddle::generate
