#include "check/regression_search.h"

namespace heddle {
namespace {

Focus focus_on(const Impact& impact, const trace::Trace& trace) {
  std::vector<uint64_t> events;
  for (const ImpactedEvent& impacted : impact.events) events.push_back(impacted.event);
  events.insert(events.end(), impact.separated.begin(), impact.separated.end());
  return {trace.events().size(), events};
}

}  // namespace

RegressionSearch::RegressionSearch(const StatementsOfBoth& statements, TestImpact& test,
                                   FindingListener& listener, const Options& options)
    : units_(options.units),
      test_(test),
      symbolizer_(listener.symbolizer()),
      base_(test.base, statements.base, symbolizer_, options.units),
      filter_(listener, statements.head, base_),
      head_(test.head, filter_,
            {.units = options.units,
             .focus = focus_on(test.impact, test.head.recording.trace()),
             .deadline = options.deadline,
             .prophecies = options.prophecies,
             .suspects = options.suspects}) {}

Expected<void> RegressionSearch::run() {
  if (test_.impact.events.empty()) return {};
  return head_.look();
}

uint64_t RegressionSearch::count_all() const {
  return predict(test_.head.recording.trace(), {.units = units_, .guesses = true}, symbolizer_).explored;
}

}  // namespace heddle
