// What detectors suspect, looked into one by one: told as it is, or executed first if there is a test.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "check/suspected_test.h"
#include "detect/detection.h"
#include "report/report_context.h"

namespace heddle {

class Suspects {
 public:
  struct Options {
    bool lists_all = false;  // also suspicions that were not reproduced
    // Before a suspicion is executed: how many were, in how many executions. And after. May be empty.
    std::function<void(uint64_t, uint64_t)> trying;
    std::function<void()> tried;
  };
  // `names` has the tables that the findings refer to; `test` is null if nothing can be executed. All must
  // outlive this.
  Suspects(const trace::Trace& names, FindingListener& listener, SuspectedTest* test, Options options)
      : facts_(std::make_shared<TraceFacts>(names, listener.symbolizer())),
        listener_(listener),
        test_(test),
        options_(std::move(options)) {}

  // Into all of it, the surest first.
  Expected<void> look_into(const detect::Detections& found);

  uint64_t executions() const { return executions_; }
  uint64_t not_reproduced() const { return not_reproduced_; }
  uint64_t not_tried() const { return not_tried_; }

 private:
  // An access after the free of its memory.
  Expected<void> look_into_use_after_free(const detect::PairFinding& pair);
  // Accesses that nothing ordered. The first of a trace is a race in any case; a later one may be due to it.
  Expected<void> look_into_races(const std::vector<detect::PairFinding>& races);
  // Accesses that no common lock protects.
  Expected<void> look_into_potential_race(const detect::PairFinding& pair);
  Expected<void> look_into_cycle(const detect::LockOrderCycle& cycle);
  bool can_execute() const { return test_ != nullptr && test_->confirms(); }
  // Tells what an earlier run has found out about it; false if it is not known.
  Expected<bool> tell_if_known(const std::string& fingerprint, ReportContext& context,
                               const FailureStory& story, trace::OutcomeKind kind);
  // Nothing if it was not executed.
  Expected<std::optional<Verdict>> execute(const Suspicion& suspicion, const std::string& fingerprint);
  Expected<void> tell_executed_race(const Verdict& verdict);
  struct OpenRace {
    FailureStory story;
    std::optional<Verdict> verdict;  // that it was not reproduced, if it was tried
  };
  Expected<void> look_into_race(const detect::PairFinding& pair, bool is_first);
  Expected<std::optional<OpenRace>> try_race(ReportContext& context, const detect::PairFinding& pair);

  const std::shared_ptr<TraceFacts> facts_;  // of the trace that was looked at
  FindingListener& listener_;
  SuspectedTest* test_;
  const Options options_;
  uint64_t executions_ = 0;
  uint64_t not_reproduced_ = 0;
  uint64_t not_tried_ = 0;
  uint64_t tried_ = 0;
};

}  // namespace heddle
