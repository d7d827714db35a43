#include "check/regression_filter.h"

#include <utility>

namespace heddle {

std::optional<std::string> RegressionFilter::news(ReportContext& context, const FailureStory& story,
                                                  trace::OutcomeKind kind) {
  std::optional<std::string> fingerprint = told_.news(context, story, kind);
  if (fingerprint)
    asked_.insert_or_assign(*fingerprint, finding_of_both(make_finding(context, story, kind), statement_of_));
  return fingerprint;
}

FindingOfBoth RegressionFilter::asked_about(const Finding& finding) const {
  const auto asked = asked_.find(finding.fingerprint);
  return asked != asked_.end() ? asked->second : finding_of_both(finding, statement_of_);
}

std::vector<FindingOfBoth> RegressionFilter::deferred() const {
  std::vector<FindingOfBoth> findings;
  for (const Deferred& deferred : deferred_) findings.push_back(deferred.asked);
  return findings;
}

Expected<void> RegressionFilter::tell_deferred() {
  is_deferring_ = false;
  Expected<void> done;
  for (Deferred& deferred : std::exchange(deferred_, {}))
    if (done) done = tell(deferred.context, std::move(deferred.story), deferred.told);
  return done;
}

Expected<void> RegressionFilter::tell(ReportContext& context, FailureStory story, const ToldFinding& told) {
  Finding finding = make_finding(context, story, told.kind);
  if (is_deferring_) {
    deferred_.push_back({context, std::move(story), told, asked_about(finding)});
    return {};
  }
  const Expected<bool> in_base = base_has_(asked_about(finding));
  if (!in_base) return tl::unexpected(in_base.error());
  if (!*in_base) {
    has_told_harm_ |= told.confirmation == Confirmation::kHarmful;
    return told_.tell(context, std::move(story), told);
  }
  finding.confirmation = told.confirmation;
  finding.confirmed = is_confirmed(told.confirmation);
  finding.status = FindingStatus::kKnown;
  if (told.pattern != 0) finding.pattern = told.pattern;
  known_.push_back(std::move(finding));
  return {};
}

}  // namespace heddle
