#include "check/compared_schedules.h"

#include <iterator>

namespace heddle {
namespace {

using trace::PolicyKind;
using trace::PolicySpec;

// Of two threads, every other order is the one that was seen already.
constexpr uint32_t kMostInVain = 4;
// Code that random schedules rarely come to is for `heddle explore` to find.
constexpr uint32_t kMostForUnreached = 4;

constexpr PolicySpec kFirst[] = {
    {.kind = PolicyKind::kNonpreemptive},     {.kind = PolicyKind::kSerial, .seed = 1},
    {.kind = PolicyKind::kSerial, .seed = 2}, {.kind = PolicyKind::kSerial, .seed = 3},
    {.kind = PolicyKind::kRoundRobin},
};

PolicySpec candidate(uint32_t number) {
  if (number < std::size(kFirst)) return kFirst[number];
  return {.kind = PolicyKind::kRandom, .seed = number - std::size(kFirst) + 1};
}

}  // namespace

std::optional<PolicySpec> ComparedSchedules::next() {
  if (seen_.size() >= wanted_ || proposed_ >= wanted_ + kMostInVain) return std::nullopt;
  return candidate(proposed_++);
}

std::vector<PolicySpec> ComparedSchedules::planned() const {
  std::vector<PolicySpec> policies;
  for (uint32_t i = 0; i < wanted_; ++i) policies.push_back(candidate(i));
  return policies;
}

std::optional<PolicySpec> ComparedSchedules::next_for_unreached() {
  if (for_unreached_ >= kMostForUnreached) return std::nullopt;
  // Other seeds than those of next().
  return PolicySpec{.kind = PolicyKind::kRandom, .seed = 0x5eed + for_unreached_++};
}

bool ComparedSchedules::add(const trace::Trace& head) {
  return seen_.insert(trace::trace_hash(head)).second;
}

}  // namespace heddle
