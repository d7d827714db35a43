// What `detect` and `predict` do with what they have found: suppress, tell once, count, write schedules.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "report/finding.h"
#include "report/run_result.h"
#include "report/suppressions.h"
#include "symbolize/symbolizer.h"
#include "trace/schedule.h"

namespace heddle {

// Names suppressions that nothing matched, in a line each.
void say_unused(const Suppressions& suppressions, const std::string& file);

class AnalysisReport {
 public:
  // `output`: for schedules, as write_finding_schedule() takes it.
  AnalysisReport(Suppressions suppressions, std::string output);

  Symbolizer& symbolizer() { return *symbolizer_; }

  // Whether it is worth looking into: it has not been told and is not suppressed.
  bool is_news(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind);

  // Tells it and adds it to the findings. `schedule` replays it, if there is one; `notes` are lines about how
  // sure it is.
  struct Told {
    trace::OutcomeKind kind = trace::OutcomeKind::kRace;
    Confirmation confirmation = Confirmation::kPredicted;
    std::vector<std::string> notes;
    const trace::Schedule* schedule = nullptr;
    std::optional<uint64_t> executions;
    uint32_t pattern = 0;  // of accesses; 0: none
  };
  Expected<void> tell(ReportContext& context, FailureStory story, const Told& told);

  const std::vector<Finding>& findings() const { return findings_; }
  std::vector<Finding> take_findings() { return std::move(findings_); }
  uint64_t suppressed() const { return suppressed_; }
  const Suppressions& suppressions() const { return suppressions_; }

 private:
  const std::string output_;
  std::unique_ptr<Symbolizer> symbolizer_;
  Suppressions suppressions_;
  std::map<std::string, bool> is_told_;  // fingerprints; false: all so far were suppressed
  std::vector<Finding> findings_;
  uint64_t suppressed_ = 0;
};

}  // namespace heddle
