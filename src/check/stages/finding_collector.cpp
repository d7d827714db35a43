#include "check/stages/finding_collector.h"

#include <algorithm>

#include "check/source_names.h"
#include "report/suppressible_story.h"

namespace heddle {

// The same pair of accesses may have been found in another test, by another stage. An exit code alone tells
// little: whatever made this test end so before, it has been compared with the base by what the test says of
// it.
bool FindingCollector::is_there(const Finding& finding) const {
  const std::string sameness = sameness_of(finding, {}, {});
  return std::ranges::any_of(state_.result.findings, [&](const CheckFinding& other) {
    const bool is_same_exit = finding.kind == "exit-code" && other.found.finding.kind == "exit-code" &&
                              std::ranges::find_first_of(other.tests, tests_) != other.tests.end();
    return is_same_exit || other.found.finding.fingerprint == finding.fingerprint ||
           other.found.sameness == sameness;
  });
}

std::optional<std::string> FindingCollector::news(ReportContext& context, const FailureStory& story,
                                                  trace::OutcomeKind kind) {
  const Finding finding = make_finding(context, story, kind);
  if (is_there(finding) || suppressed_.contains(finding.fingerprint)) return std::nullopt;
  if (!state_.suppressions.suppress(suppressible(context, story, kind))) return finding.fingerprint;
  suppressed_.insert(finding.fingerprint);
  ++state_.result.suppressed;
  return std::nullopt;
}

Expected<void> FindingCollector::tell(ReportContext& context, FailureStory story, const ToldFinding& told) {
  CheckFinding added;
  added.tests = tests_;
  Finding& finding = added.found.finding;
  finding = make_finding(context, story, told.kind);
  if (!is_shown(finding.kind, told.confirmation)) {
    ++suspected_;
    return {};
  }
  if (is_there(finding)) return {};
  finding.confirmation = told.confirmation;
  finding.status = FindingStatus::kNew;
  finding.executions_to_find = told.executions;
  if (told.pattern != 0) finding.pattern = told.pattern;
  added.found.sameness = sameness_of(finding, {}, {});
  added.found.has_example = true;
  added.found.execution.trace = context.trace().clone();
  added.found.execution.outcome = added.found.execution.trace.outcome();
  if (told.schedule != nullptr) added.found.schedule = *told.schedule;
  for (const std::string& note : told.notes) story.details.push_back({note, {}});
  added.story = std::move(story);
  told_.push_back(finding.fingerprint);
  state_.result.findings.push_back(std::move(added));
  note_first_finding(&state_.result);
  return {};
}

void FindingCollector::add_known(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (is_there(finding)) continue;
    CheckFinding& added = state_.result.findings.emplace_back();
    added.tests = tests_;
    added.found.finding = finding;
    added.found.finding.status = FindingStatus::kKnown;
    added.found.sameness = sameness_of(finding, {}, {});
  }
}

}  // namespace heddle
