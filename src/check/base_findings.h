// BaseFindings: whether the base does what was found in the head, at the statements that correspond.
//
// The base is predicted from and detected in once something is asked; executed is only what would
// be the same. So what the base does as well is told apart from what a change has made, also where it needs
// another schedule than the one that both were recorded under.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "check/version_analysis.h"
#include "impact/version_names.h"
#include "report/finding.h"

namespace heddle {

// Equal for findings of two versions that are the same.
struct FindingOfBoth {
  std::string kind;
  std::vector<uint64_t> statements;  // sorted

  auto operator<=>(const FindingOfBoth&) const = default;
};
FindingOfBoth finding_of_both(const Finding& finding, const NameOfStatement& statement_of);

class BaseFindings final : private FindingListener {
 public:
  // All must outlive this. Of a version without a server, what is predicted counts as if it were executed.
  // `focus`: what the findings that are asked about may consist of.
  BaseFindings(VersionOfTest& base, NameOfStatement statement_of, Symbolizer& symbolizer, UnitRule units,
               Focus focus = {});

  // That these will be asked about. Then the base is looked through for them alone, all at once.
  void expect(const std::vector<FindingOfBoth>& findings);

  Expected<bool> has(const FindingOfBoth& finding);
  uint64_t executions() const {
    return analysis_.executions() + (of_expected_ ? of_expected_->executions() : 0);
  }

 private:
  Symbolizer& symbolizer() override { return symbolizer_; }
  std::optional<std::string> news(ReportContext& context, const FailureStory& story,
                                  trace::OutcomeKind kind) override;
  Expected<void> tell(ReportContext& context, FailureStory story, const ToldFinding& told) override;
  bool has_failed_so(const FindingOfBoth& finding);
  Focus focus_on_expected();
  WantedKinds expected_kinds() const;

  VersionOfTest& base_;
  const NameOfStatement statement_of_;
  Symbolizer& symbolizer_;
  const UnitRule units_;
  const Focus focus_;
  VersionAnalysis analysis_;
  std::set<FindingOfBoth> expected_;
  std::optional<VersionAnalysis> of_expected_;
  std::map<FindingOfBoth, bool> answers_;
  // Of the question that is being answered.
  const FindingOfBoth* wanted_ = nullptr;
  std::set<std::string> tried_;  // fingerprints
  bool is_there_ = false;
};

}  // namespace heddle
