// Teller of executions that did not come to an end: which threads go round which loop.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/event_facts.h"
#include "report/tellers.h"
#include "report/text.h"
#include "trace/names.h"

namespace heddle {
namespace {

using trace::EventRecord;

// A loop is believed when the tail of a thread's events is the same sequence of sites three times over.
constexpr size_t kTail = 3000;
constexpr size_t kRepetitions = 3;
constexpr size_t kMaxPeriod = kTail / kRepetitions;

constexpr size_t kMaxWrites = 6;

// The last events of each thread, in order.
std::map<uint32_t, std::vector<const EventRecord*>> tails(const trace::Trace& trace) {
  std::map<uint32_t, std::vector<const EventRecord*>> result;
  auto events = trace.events();
  for (size_t i = events.size(); i > window_begin(trace); --i) {
    auto& tail = result[events[i - 1].thread];
    if (tail.size() < kTail) tail.push_back(&events[i - 1]);
  }
  for (auto& [thread, tail] : result) std::reverse(tail.begin(), tail.end());
  return result;
}

bool same_operation(const EventRecord& a, const EventRecord& b) {
  return a.site == b.site && a.kind == b.kind && a.context == b.context;
}

// The shortest repeating end of `tail`, or nothing.
std::vector<const EventRecord*> find_loop(const std::vector<const EventRecord*>& tail) {
  for (size_t period = 1; period <= std::min(kMaxPeriod, tail.size() / kRepetitions); ++period) {
    size_t needed = period * (kRepetitions - 1);
    bool repeats = true;
    for (size_t i = 0; i < needed && repeats; ++i) {
      size_t at = tail.size() - 1 - i;
      repeats = same_operation(*tail[at], *tail[at - period]);
    }
    if (repeats) return {tail.end() - static_cast<std::ptrdiff_t>(period), tail.end()};
  }
  return {};
}

// The source lines of a loop in the order in which they are run, each once.
std::vector<std::string> loop_lines(ReportContext& context, const std::vector<const EventRecord*>& loop) {
  std::vector<std::string> lines;
  for (const EventRecord* event : loop) {
    std::string line = context.place_text({event->site, event->context});
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

void add_location(FailureStory& story, const EventRecord& event) {
  if (event.object == 0) return;
  LocationRange range = range_of(event);
  bool is_known = std::any_of(story.locations.begin(), story.locations.end(),
                              [&](const LocationRange& known) { return known.overlaps(range); });
  if (!is_known) story.locations.push_back(range);
}

// The last writes to what the loops look at, which may lie long before the end: they are why nothing changes.
std::vector<uint64_t> last_writes(const trace::Trace& trace, const std::vector<LocationRange>& locations) {
  std::vector<uint64_t> writes;
  auto events = trace.events();
  for (size_t i = events.size(); i > 0 && writes.size() < kMaxWrites; --i) {
    const EventRecord& event = events[i - 1];
    if (!is_write(event.kind) || (event.flags & trace::event_flag::kFailed) != 0) continue;
    LocationRange written = range_of(event);
    bool matters = std::any_of(locations.begin(), locations.end(),
                               [&](const LocationRange& location) { return location.overlaps(written); });
    if (matters) writes.push_back(trace.events_dropped() + i - 1);
  }
  return writes;
}

bool has_ended(const trace::Trace& trace, uint32_t thread) {
  return std::none_of(trace.blocked().begin(), trace.blocked().end(),
                      [&](const trace::BlockedRecord& blocked) { return blocked.thread == thread; });
}

}  // namespace

FailureStory tell_livelock(ReportContext& context) {
  const trace::Trace& trace = context.trace();
  FailureStory story;
  std::vector<std::string> names;
  for (const auto& [thread, tail] : tails(trace)) {
    if (!trace.blocked().empty() && has_ended(trace, thread)) continue;
    std::vector<const EventRecord*> loop = find_loop(tail);
    if (loop.empty()) continue;
    names.push_back(context.thread(thread));
    story.add_thread(thread);
    story.details.push_back({fmt::format("{} repeats:", names.back()), loop_lines(context, loop)});
    std::vector<std::string> functions;
    for (const EventRecord* event : loop) {
      add_location(story, *event);
      functions.push_back(fmt::format("{} in {}", trace::to_text(event->kind),
                                      context.symbols.function_identity(event->site, event->context)));
    }
    story.places.push_back({loop.back()->site, loop.back()->context});
    story.ends[thread] = {story.places.back(), "and so on"};
    std::sort(functions.begin(), functions.end());
    functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
    story.identity.push_back(join_words(functions));
  }
  story.key_events = last_writes(trace, story.locations);
  const trace::OutcomeRecord& outcome = trace.outcome();
  story.message = fmt::format("no end after {}", count_of(outcome.steps, "step"));
  if (!names.empty()) {
    story.message +=
        fmt::format(": {} repeat{} the same operations", join_words(names), names.size() == 1 ? "s" : "");
  } else {
    story.add_thread(outcome.thread);
    story.places.push_back({outcome.site, outcome.context});
    story.identity.push_back(context.symbols.function_identity(outcome.site, outcome.context));
  }
  std::sort(story.identity.begin(), story.identity.end());
  story.identity.erase(std::unique(story.identity.begin(), story.identity.end()), story.identity.end());
  add_other_threads(context, story);
  return story;
}

}  // namespace heddle
