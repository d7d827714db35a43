#include "check/trace_impact.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "check/same_test.h"

namespace heddle {
namespace {

void use(trace::Trace trace, Symbolizer& symbolizer, VersionOfTest* version) {
  version->recording.execution.outcome.kind = trace.outcome().kind;
  version->recording.execution.trace = std::move(trace);
  version->symbols = std::make_unique<TraceSymbols>(version->recording.trace(), symbolizer);
}

// Where events are in the program's own code, by the names that both versions share.
std::set<uint64_t> places_of(const VersionOfTest& version) {
  std::set<uint64_t> places;
  std::vector<bool> is_known(version.recording.trace().sites().size());
  for (const trace::EventRecord& event : version.recording.trace().events()) {
    if (event.site == 0 || event.site >= is_known.size() || is_known[event.site]) continue;
    is_known[event.site] = true;
    const std::vector<StackFrame> frames = version.symbols->stack(event.site, 0);
    if (std::ranges::any_of(frames, &StackFrame::is_user_code))
      places.insert(version.names.statements[event.site]);
  }
  return places;
}

// Else nothing corresponds to anything, and all that is said of the head would be nonsense.
bool have_common_place(const TestImpact& test) {
  const std::set<uint64_t> base = places_of(test.base);
  const std::set<uint64_t> head = places_of(test.head);
  return base.empty() || head.empty() ||
         std::ranges::any_of(head, [&](uint64_t place) { return base.contains(place); });
}

}  // namespace

Expected<std::unique_ptr<TestImpact>> compare_traces(trace::Trace base, trace::Trace head, const LineMap& map,
                                                     Symbolizer& symbolizer) {
  if (!is_same_test(base.command(), head.command()))
    return usage_error(
        fmt::format("these are traces of different tests: the base's is of `{}`, and the head's of `{}`",
                    fmt::join(base.command(), " "), fmt::join(head.command(), " ")));
  auto result = std::make_unique<TestImpact>();
  use(std::move(base), symbolizer, &result->base);
  use(std::move(head), symbolizer, &result->head);
  result->base.names = names_in_base(*result->base.symbols, map);
  result->head.names = names_in_head(*result->head.symbols, map);
  if (!have_common_place(*result))
    return usage_error(
        "the two traces have no line of source in common: they are of different programs, or were built in "
        "different folders; --map DIFF says which lines correspond, and by a file that it names where the "
        "folders are");
  result->impact = find_impact(result->base.recording.trace(), result->base.names,
                               result->head.recording.trace(), result->head.names);
  return result;
}

StatementsOfBoth statements_of(TestImpact& test, const LineMap& map) {
  return {.base = statements_of_base(*test.base.symbols, map),
          .head = statements_of_head(*test.head.symbols, map)};
}

}  // namespace heddle
