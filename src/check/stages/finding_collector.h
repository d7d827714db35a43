// FindingCollector: takes what engines tell of a test's executions into the result of a check, unless that
// has it already.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "check/stages/stage.h"
#include "check/suspected_test.h"

namespace heddle {

class FindingCollector final : public FindingListener {
 public:
  // `tests`: whose executions are told of.
  FindingCollector(CheckState& state, std::vector<std::string> tests)
      : state_(state), tests_(std::move(tests)) {}

  Symbolizer& symbolizer() override { return state_.symbolizer; }
  std::string directory() const override { return state_.result.head_build.source.string(); }
  std::optional<std::string> news(ReportContext& context, const FailureStory& story,
                                  trace::OutcomeKind kind) override;
  // Only what was shown: a suspicion is nobody's finding.
  Expected<void> tell(ReportContext& context, FailureStory story, const ToldFinding& told) override;
  // What the base has as well.
  void add_known(const std::vector<Finding>& findings);

  const std::vector<std::string>& fingerprints() const { return told_; }  // of what was added as new
  uint64_t suspected() const { return suspected_; }                       // and not shown

 private:
  bool is_there(const Finding& finding) const;

  CheckState& state_;
  const std::vector<std::string> tests_;
  std::set<std::string> suppressed_;  // fingerprints
  std::vector<std::string> told_;
  uint64_t suspected_ = 0;
};

}  // namespace heddle
