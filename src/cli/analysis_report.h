// What `detect` and `predict` do with what they have found: suppress, tell once, count, write schedules.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
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
// How many executions failed with nothing but suppressed findings, if any did.
void say_suppressed(uint64_t executions);

class AnalysisReport {
 public:
  // `output`: for schedules, as write_finding_schedule() takes it.
  AnalysisReport(Suppressions suppressions, std::string output);

  Symbolizer& symbolizer() { return *symbolizer_; }

  // Its fingerprint if it is worth looking into: it has not been told and is not suppressed.
  std::optional<std::string> news(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind);

  // Tells it and adds it to the findings. `schedule` replays it, if there is one; `notes` are lines about how
  // sure it is.
  struct Told {
    trace::OutcomeKind kind = trace::OutcomeKind::kRace;
    Confirmation confirmation = Confirmation::kPredicted;
    bool confirmed_earlier = false;  // by a run before this one
    std::vector<std::string> notes;
    const trace::Schedule* schedule = nullptr;
    std::optional<uint64_t> executions;
    uint32_t pattern = 0;  // of accesses; 0: none
  };
  Expected<void> tell(ReportContext& context, FailureStory story, const Told& told);

  const std::vector<Finding>& findings() const { return findings_; }
  std::vector<Finding> take_findings() { return std::move(findings_); }
  uint64_t suppressed() const { return suppressed_; }
  // Since the command began.
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
  }
  uint64_t confirmed_earlier() const;
  const Suppressions& suppressions() const { return suppressions_; }

 private:
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  const std::string output_;
  std::unique_ptr<Symbolizer> symbolizer_;
  Suppressions suppressions_;
  std::map<std::string, bool> seen_;  // fingerprints; whether it was suppressed
  std::vector<Finding> findings_;
  uint64_t suppressed_ = 0;
};

}  // namespace heddle
