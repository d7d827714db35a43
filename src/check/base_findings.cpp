#include "check/base_findings.h"

#include <algorithm>
#include <unordered_map>

#include "trace/names.h"

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
      units_(units),
      focus_(std::move(focus)),
      analysis_(base, *this, {.units = units, .focus = focus_}) {}

void BaseFindings::expect(const std::vector<FindingOfBoth>& findings) {
  expected_ = {findings.begin(), findings.end()};
  FindingListener& listener = *this;
  of_expected_.emplace(
      base_, listener,
      VersionAnalysis::Options{
          .units = units_, .focus = focus_on_expected(), .kinds = expected_kinds(), .only_focus = true});
}

WantedKinds BaseFindings::expected_kinds() const {
  const auto is_expected = [&](trace::OutcomeKind kind) {
    return std::ranges::any_of(
        expected_, [&](const FindingOfBoth& finding) { return finding.kind == trace::to_text(kind); });
  };
  // Detection finds uses of freed memory with the races.
  return {.races = is_expected(trace::OutcomeKind::kRace) || is_expected(trace::OutcomeKind::kUseAfterFree),
          .deadlocks = is_expected(trace::OutcomeKind::kDeadlock),
          .atomicity = is_expected(trace::OutcomeKind::kAtomicity)};
}

// What is the same as an expected finding is at its statements, as far as findings name them.
Focus BaseFindings::focus_on_expected() {
  std::set<uint64_t> statements;
  for (const FindingOfBoth& finding : expected_)
    statements.insert(finding.statements.begin(), finding.statements.end());
  const std::span<const trace::EventRecord> events = base_.recording.trace().events();
  std::unordered_map<uint64_t, bool> known;  // by site and context
  return Focus::where(events.size(), [&](uint64_t number) {
    if (!focus_.includes(number)) return false;
    const trace::EventRecord& event = events[number];
    const auto [entry, is_new] = known.try_emplace(uint64_t{event.site} << 32 | event.context, true);
    if (is_new) {
      const Frame& frame = base_.symbols->line_of_interest(event.site, event.context);
      entry->second = frame.function.empty() || statements.contains(statement_of_(frame));
    }
    return entry->second;
  });
}

Expected<bool> BaseFindings::has(const FindingOfBoth& finding) {
  const auto [answer, is_new] = answers_.try_emplace(finding, false);
  if (!is_new) return answer->second;
  wanted_ = &answer->first;
  tried_.clear();
  is_there_ = has_failed_so(finding);
  VersionAnalysis& analysis = expected_.contains(finding) ? *of_expected_ : analysis_;
  Expected<void> looked;
  if (!is_there_) looked = analysis.look_into_predictions();
  // Detectors suspect everything but that.
  const bool is_suspected = finding.kind != trace::to_text(trace::OutcomeKind::kAtomicity);
  if (looked && !is_there_ && is_suspected) looked = analysis.look_into_suspicions();
  if (!looked) return tl::unexpected(looked.error());
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
