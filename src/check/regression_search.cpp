#include "check/regression_search.h"

#include <span>
#include <unordered_set>

namespace heddle {
namespace {

std::vector<uint64_t> events_to_look_at(const Impact& impact) {
  std::vector<uint64_t> events;
  for (const ImpactedEvent& impacted : impact.events) events.push_back(impacted.event);
  events.insert(events.end(), impact.separated.begin(), impact.separated.end());
  return events;
}

Focus focus_on_head(const TestImpact& test) {
  return {test.head.recording.trace().events().size(), events_to_look_at(test.impact)};
}

// What is found in the head has one of those events. If the base does the same, it does so at its statement.
Focus focus_on_base(const TestImpact& test) {
  const std::span<const trace::EventRecord> head = test.head.recording.trace().events();
  const std::span<const trace::EventRecord> base = test.base.recording.trace().events();
  std::unordered_set<uint64_t> statements;
  for (const uint64_t event : events_to_look_at(test.impact))
    statements.insert(test.head.names.statement(head[event].site));
  std::vector<bool> sites(test.base.recording.trace().sites().size());
  for (uint32_t site = 0; site < sites.size(); ++site)
    sites[site] = statements.contains(test.base.names.statement(site));
  return Focus::where(base.size(), [&](uint64_t event) { return sites[base[event].site]; });
}

}  // namespace

RegressionSearch::RegressionSearch(const StatementsOfBoth& statements, TestImpact& test,
                                   FindingListener& listener, const Options& options)
    : units_(options.units),
      base_has_elsewhere_(options.base_has_elsewhere),
      test_(test),
      symbolizer_(listener.symbolizer()),
      base_(test.base, statements.base, symbolizer_, options.units, focus_on_base(test)),
      filter_(listener, statements.head, [this](const FindingOfBoth& finding) { return base_has(finding); }),
      head_(test.head, filter_,
            {.units = options.units,
             .focus = focus_on_head(test),
             .deadline = options.deadline,
             .prophecies = options.prophecies,
             .suspects = options.suspects}),
      delay_history_(options.delays),
      delays_(test, statements, filter_, options.deadline, options.delays) {}

Expected<void> RegressionSearch::run() {
  if (test_.impact.events.empty()) return {};
  // Nothing is executed: what is found can be told when all of it is known.
  if (!test_.head.server) filter_.defer();
  if (const Expected<void> looked = head_.look(); !looked) return looked;
  if (!test_.head.server) {
    base_.expect(filter_.deferred());
    if (const Expected<void> told = filter_.tell_deferred(); !told) return told;
  }
  delay_history_->has_harm |= filter_.has_told_harm();
  is_delaying_ = true;
  return delays_.run();
}

Expected<bool> RegressionSearch::base_has(const FindingOfBoth& finding) {
  Expected<bool> has = base_.has(finding);
  if (has && !*has && base_has_elsewhere_) has = base_has_elsewhere_(finding);
  if (has && !*has && is_delaying_) has = delays_.base_has(finding);
  return has;
}

uint64_t RegressionSearch::count_all() const {
  return predict(test_.head.recording.trace(), {.units = units_, .guesses = true}, symbolizer_).explored;
}

}  // namespace heddle
