#include <algorithm>

#include <fmt/format.h>

#include "report/tellers.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;
namespace flag = trace::event_flag;

constexpr size_t kMostShown = 5;  // the last ones: they are nearest to the failure

// What happened to the thread, or nothing. A wait that a signal ended is no step of its own.
std::string_view injected_phrase(const EventRecord& event) {
  const bool is_wakeup = event.kind == EventKind::kCondWake || event.kind == EventKind::kFutexAwake;
  if (is_wakeup && event.peer == 0 && (event.flags & (flag::kPoint | flag::kTimedOut)) == flag::kPoint)
    return "was woken up although nobody notified it";
  if (event.kind == EventKind::kAlloc && (event.flags & flag::kFailed) != 0) return "got no memory";
  return {};
}

}  // namespace

void add_injected(ReportContext& context, FailureStory& story) {
  const trace::Trace& trace = context.trace();
  std::vector<uint64_t> injected;
  for (uint64_t i = 0; i < trace.events().size(); ++i) {
    if (!injected_phrase(trace.events()[i]).empty()) injected.push_back(i);
  }
  if (injected.empty()) return;
  const size_t hidden = injected.size() - std::min(injected.size(), kMostShown);
  Paragraph paragraph{"injected on the way (--inject):", {}};
  if (hidden != 0) paragraph.lines.push_back(fmt::format("({} earlier ones)", hidden));
  for (size_t i = hidden; i < injected.size(); ++i) {
    const EventRecord& event = trace.events()[injected[i]];
    paragraph.lines.push_back(fmt::format("{} {} {}", context.thread(event.thread), injected_phrase(event),
                                          context.place_text({event.site, event.context})));
    story.key_events.push_back(trace.events_dropped() + injected[i]);
  }
  story.details.push_back(std::move(paragraph));
}

}  // namespace heddle
