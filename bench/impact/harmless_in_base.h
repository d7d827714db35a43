// Whether the base does what a finding says, and comes to no harm.
//
// An execution of the head can show several patterns and one failure. A pattern that the base executes
// without harm is not what the change made wrong.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "check/base_findings.h"
#include "check/version_analysis.h"

namespace heddle::bench {

class HarmlessInBase final : private FindingListener {
 public:
  // All must outlive this.
  HarmlessInBase(VersionOfTest& base, NameOfStatement statement_of, Symbolizer& symbolizer)
      : statement_of_(std::move(statement_of)),
        symbolizer_(symbolizer),
        analysis_(base, *this, {.prophecies = {.lists_all = true}}) {}

  // Of an atomicity violation.
  Expected<bool> is(const FindingOfBoth& finding) {
    wanted_ = &finding;
    tried_.clear();
    is_harmless_ = is_harmful_ = false;
    if (const Expected<void> looked = analysis_.look_into_predictions(); !looked)
      return tl::unexpected(looked.error());
    return is_harmless_ && !is_harmful_;
  }

 private:
  Symbolizer& symbolizer() override { return symbolizer_; }
  std::optional<std::string> news(ReportContext& context, const FailureStory& story,
                                  trace::OutcomeKind kind) override {
    Finding finding = make_finding(context, story, kind);
    if (finding_of_both(finding, statement_of_) != *wanted_) return std::nullopt;
    if (!tried_.insert(finding.fingerprint).second) return std::nullopt;
    return std::move(finding.fingerprint);
  }
  Expected<void> tell(ReportContext&, FailureStory, const ToldFinding& told) override {
    is_harmless_ |= told.confirmation == Confirmation::kBenign;
    is_harmful_ |= told.confirmation == Confirmation::kHarmful;
    return {};
  }

  const NameOfStatement statement_of_;
  Symbolizer& symbolizer_;
  VersionAnalysis analysis_;
  // Of the question that is being answered.
  const FindingOfBoth* wanted_ = nullptr;
  std::set<std::string> tried_;
  bool is_harmless_ = false;
  bool is_harmful_ = false;
};

}  // namespace heddle::bench
