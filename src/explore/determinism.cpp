#include "explore/determinism.h"

#include <algorithm>

#include <fmt/format.h>

#include "symbolize/trace_symbols.h"
#include "trace/names.h"

namespace heddle {
namespace {

using trace::EventRecord;
using trace::Trace;

bool same_site(const Trace& a, uint32_t site_a, const Trace& b, uint32_t site_b) {
  return a.sites()[site_a].module == b.sites()[site_b].module &&
         a.sites()[site_a].offset == b.sites()[site_b].offset;
}

// As long as all events before were the same, objects have the same numbers.
bool same_event(const Trace& a, const EventRecord& x, const Trace& b, const EventRecord& y) {
  return x.kind == y.kind && x.thread == y.thread && x.object == y.object && x.offset == y.offset &&
         x.size == y.size && x.flags == y.flags && same_site(a, x.site, b, y.site);
}

std::string describe_event(const Trace& trace, size_t index, Symbolizer& symbolizer) {
  if (index >= trace.events().size()) return "the execution has ended";
  const EventRecord& event = trace.events()[index];
  TraceSymbols symbols(trace, symbolizer);
  const std::string object =
      event.object != 0 ? " on " + symbols.location_text(event.object, event.offset) : "";
  return fmt::format("{} does {}{} at {}", trace.thread_name(event.thread), to_text(event.kind), object,
                     symbols.site_text(event.site, event.context));
}

}  // namespace

std::optional<std::string> describe_difference(const Trace& first, const Trace& second,
                                               Symbolizer& symbolizer) {
  const size_t common = std::min(first.events().size(), second.events().size());
  size_t index = 0;
  while (index < common && same_event(first, first.events()[index], second, second.events()[index])) ++index;
  if (index < std::max(first.events().size(), second.events().size())) {
    return fmt::format("event {}: in one execution {}; in the other {}", index + 1,
                       describe_event(first, index, symbolizer), describe_event(second, index, symbolizer));
  }
  if (first.outcome().kind != second.outcome().kind) {
    return fmt::format("the outcome: one execution ends with {}, the other with {}",
                       to_text(first.outcome().kind), to_text(second.outcome().kind));
  }
  return std::nullopt;
}

}  // namespace heddle
