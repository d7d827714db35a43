#include "check/base_findings.h"

#include <algorithm>

namespace heddle {

FindingOfBoth finding_of_both(const Finding& finding, const NameOfStatement& statement_of) {
  FindingOfBoth same{.kind = finding.kind, .statements = {}};
  for (const FindingSite& site : finding.sites)
    same.statements.push_back(statement_of(
        {.function = site.function, .file = site.file, .line = site.line, .column = site.column}));
  std::sort(same.statements.begin(), same.statements.end());
  return same;
}

BaseFindings::BaseFindings(VersionOfTest& base, NameOfStatement statement_of, Symbolizer& symbolizer,
                           UnitRule units, Focus focus)
    : base_(base),
      statement_of_(std::move(statement_of)),
      symbolizer_(symbolizer),
      analysis_(base, *this, {.units = units, .focus = std::move(focus)}) {}

Expected<bool> BaseFindings::has(const FindingOfBoth& finding) {
  const auto [answer, is_new] = answers_.try_emplace(finding, false);
  if (!is_new) return answer->second;
  wanted_ = &answer->first;
  tried_.clear();
  is_there_ = has_failed_so(finding);
  if (!is_there_)
    if (const Expected<void> looked = analysis_.look(); !looked) return tl::unexpected(looked.error());
  return answer->second = is_there_;
}

bool BaseFindings::has_failed_so(const FindingOfBoth& finding) {
  if (!base_.recording.execution.failed()) return false;
  const std::optional<Finding> failure = make_finding(base_.recording.trace(), symbolizer_);
  return failure && finding_of_both(*failure, statement_of_) == finding;
}

std::optional<std::string> BaseFindings::news(ReportContext& context, const FailureStory& story,
                                              trace::OutcomeKind kind) {
  if (is_there_) return std::nullopt;
  Finding finding = make_finding(context, story, kind);
  if (finding_of_both(finding, statement_of_) != *wanted_) return std::nullopt;
  if (!tried_.insert(finding.fingerprint).second) return std::nullopt;
  return std::move(finding.fingerprint);
}

Expected<void> BaseFindings::tell(ReportContext&, FailureStory, const ToldFinding& told) {
  is_there_ = is_there_ || !base_.server || is_shown(wanted_->kind, told.confirmation);
  return {};
}

}  // namespace heddle
