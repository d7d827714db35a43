// What `detect` and `predict` do with what they have found: suppress, tell once, count, write schedules.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/suspected_test.h"
#include "report/evidence.h"
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

class AnalysisReport : public FindingListener {
 public:
  // `output`: for schedules, as write_finding_schedule() takes it. `evidence`: what findings carry; paths
  // below its directory are told relative to it.
  AnalysisReport(Suppressions suppressions, std::string output, EvidenceOptions evidence);
  // Who is told instead of people, as soon as a finding has its schedule.
  using Instead = std::function<void(ReportContext&, const FailureStory&, const Finding&)>;
  void tell_instead(Instead instead) { instead_ = std::move(instead); }
  // Of the sources, for schedules.
  void set_revision(std::string revision) { revision_ = std::move(revision); }

  Symbolizer& symbolizer() override { return *symbolizer_; }
  std::string directory() const override { return evidence_.directory; }
  std::optional<std::string> news(ReportContext& context, const FailureStory& story,
                                  trace::OutcomeKind kind) override;
  // Tells it and adds it to the findings.
  Expected<void> tell(ReportContext& context, FailureStory story, const ToldFinding& told) override;

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
  const EvidenceOptions evidence_;
  std::string revision_;
  Instead instead_;
  std::unique_ptr<Symbolizer> symbolizer_;
  Suppressions suppressions_;
  std::map<std::string, bool> is_told_;  // fingerprints; false: all so far were suppressed
  std::vector<Finding> findings_;
  uint64_t suppressed_ = 0;
};

}  // namespace heddle
