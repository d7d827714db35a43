// PreferredSwitchSearch: preemption-bounded search around certain accesses, for an engine that knows which
// ones matter.
//
// As pcb:K, but a thread is preempted only before a step that executes one of the given places. Where a
// thread blocks or ends, every other one is tried as usual. The number of interleavings depends on how often
// these places are executed, not on how long the test is.
#pragma once

#include <unordered_set>

#include "explore/bounded_search.h"

namespace heddle {

class PreferredSwitchSearch final : public PreemptionBoundedSearch {
 public:
  // `places`: keys as in Operation::place (place.h).
  PreferredSwitchSearch(uint32_t bound, std::unordered_set<uint64_t> places)
      : PreemptionBoundedSearch(bound), places_(std::move(places)) {}

  Detail detail() const override { return Detail::kOperations; }

 private:
  bool may_pay_at(const ObservedStep& step) const override;
  std::string meaning() const override;

  const std::unordered_set<uint64_t> places_;
};

// pcb:K in another order: of the interleavings with equally many preemptions, those come first whose
// preemptions are around preferred operations (Operation::is_preferred, places_around()).
class PreferringSearch final : public PreemptionBoundedSearch {
 public:
  explicit PreferringSearch(uint32_t bound) : PreemptionBoundedSearch(bound) {}

  Detail detail() const override { return Detail::kOperations; }
  void learn(const Observation& seen) override;

 private:
  bool is_preferred(const ObservedStep& step) const override;

  std::unordered_set<uint64_t> places_;
};

// The places where a switch can change what happens around these: themselves, what conflicts with them in
// this execution, and where the locks were taken under which either was executed. To search around single
// accesses, these are the places to prefer.
std::unordered_set<uint64_t> places_around(const Observation& seen,
                                           const std::unordered_set<uint64_t>& places);

}  // namespace heddle
