#include "check/trace_impact.h"

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
  result->impact = find_impact(result->base.recording.trace(), result->base.names,
                               result->head.recording.trace(), result->head.names);
  return result;
}

StatementsOfBoth statements_of(TestImpact& test, const LineMap& map) {
  return {.base = statements_of_base(*test.base.symbols, map),
          .head = statements_of_head(*test.head.symbols, map)};
}

}  // namespace heddle
