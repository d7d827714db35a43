// Delays: executions in which threads wait around impacted events for as long as anybody else can go on.
//
// Prediction sees only what an execution did. It does not see the wait that nobody came to, or what follows a
// check that failed. So threads are delayed, at one place at a time: at an impacted event, at the operations
// of its thread right before and after it, and where the lock was taken last (policy `delay`). An execution
// that fails is told, unless the base fails so when it is delayed at these places.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "check/base_findings.h"
#include "check/change_impact.h"
#include "check/suspected_test.h"

namespace heddle {

// What came of a test under the schedules that were looked into before.
struct DelayHistory {
  std::set<uint64_t> places;  // where its threads were delayed
  bool has_harm = false;      // it has been made to fail, by prediction or delays: more would tell it again
};

class Delays {
 public:
  // All must outlive this.
  Delays(TestImpact& test, const StatementsOfBoth& statements, FindingListener& listener,
         std::chrono::steady_clock::time_point deadline, DelayHistory* history);

  Expected<void> run();
  // Whether the base fails so when it is delayed at the same statements.
  Expected<bool> base_has(const FindingOfBoth& finding);

  uint64_t executions() const { return executions_; }
  uint64_t not_tried() const { return not_tried_; }

 private:
  struct Place {
    uint64_t key;    // of its statement
    uint64_t event;  // of the head, there
  };
  std::vector<Place> places_in_head() const;
  std::vector<uint64_t> places_in_base() const;
  Expected<Execution> execute(const VersionOfTest& version, uint64_t place, uint64_t seed,
                              ExecutionRequest* request);
  Expected<void> try_head(const Place& place, uint64_t seed);
  Expected<void> try_base(uint64_t place, uint64_t seed);

  TestImpact& test_;
  const StatementsOfBoth statements_;
  FindingListener& listener_;
  const std::chrono::steady_clock::time_point deadline_;
  DelayHistory* history_;
  std::vector<Place> places_;                        // of this search
  std::optional<std::set<FindingOfBoth>> base_has_;  // once somebody has asked
  uint64_t executions_ = 0;
  uint64_t not_tried_ = 0;
};

}  // namespace heddle
