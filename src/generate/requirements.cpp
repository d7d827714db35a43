#include "generate/requirements.h"

#include <utility>

namespace heddle::generate {
namespace {

// Other tests with the same calls at the same sites come from other states of the object, and may succeed.
constexpr uint32_t kMostAttempts = 3;

void count(const Requirement& requirement, Requirements::Counts* counts) {
  ++counts->found;
  if (requirement.is_covered) {
    ++counts->covered;
  } else if (requirement.attempts >= kMostAttempts) {
    ++counts->infeasible;
  }
}

}  // namespace

bool Requirements::add(Requirement requirement) {
  const uint64_t key = requirement.key;
  return requirements_.emplace(key, std::move(requirement)).second;
}

bool Requirements::is_covered(uint64_t key) const {
  const auto at = requirements_.find(key);
  return at != requirements_.end() && at->second.is_covered;
}

bool Requirements::is_settled(uint64_t key) const {
  const auto at = requirements_.find(key);
  return at != requirements_.end() && (at->second.is_covered || at->second.attempts >= kMostAttempts);
}

void Requirements::cover(uint64_t key) {
  requirements_[key].is_covered = true;
}

void Requirements::miss(uint64_t key) {
  ++requirements_[key].attempts;
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
