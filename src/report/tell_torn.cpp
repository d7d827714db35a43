// What torn accesses are in a report, and the teller of executions of which nothing else is known than that
// their results are wrong.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "report/event_facts.h"
#include "report/tellers.h"
#include "report/torn_accesses.h"
#include "report/wrong_results.h"

namespace heddle {
namespace {

// As many as a reader follows.
constexpr size_t kMostTold = 2;
constexpr size_t kMostLocations = 4;

Paragraph torn_paragraph(ReportContext& context, const TornAccess& torn) {
  const trace::Trace& trace = context.trace();
  auto at = [&](uint64_t number) -> const trace::EventRecord& { return *trace.event_at(number); };
  auto line = [&](uint64_t number, std::string_view what) {
    return fmt::format("{} {} it {}", context.thread(at(number).thread), what,
                       context.place_text({at(number).site, at(number).context}));
  };
  const trace::EventRecord& read = at(torn.read);
  const trace::EventRecord& then = at(torn.then);
  const std::string looked = is_access(read.kind)
                                 ? line(torn.read, "read")
                                 : fmt::format("{} had looked under {} {}", context.thread(read.thread),
                                               context.object_name("lock", read.object, read.offset),
                                               context.place_text({read.site, read.context}));
  return {fmt::format("{} changed while {} worked with it:",
                      context.symbols.location_text(then.object, then.offset), context.thread(read.thread)),
          {looked, line(torn.between, "wrote"), line(torn.then, is_write(then.kind) ? "wrote" : "read")}};
}

// Where threads other than main met: one of them wrote what another one used, and the latter worked there
// both before and after, or the writer did. Those come first.
std::vector<LocationRange> meeting_places(const trace::Trace& trace) {
  struct Users {
    LocationRange range;
    std::set<uint32_t> threads;
    uint32_t last = 0;
    size_t turns = 0;  // how often another thread went on there
    bool is_written = false;
  };
  std::map<std::tuple<uint32_t, uint64_t>, Users> users;
  for (const trace::EventRecord& event : trace.events()) {
    if (!is_access(event.kind) || event.object == 0 || event.thread == 0) continue;
    Users& user = users[{event.object, event.offset}];
    user.range = range_of(event);
    if (!user.threads.empty() && user.last != event.thread) ++user.turns;
    user.threads.insert(event.thread);
    user.last = event.thread;
    user.is_written = user.is_written || is_write(event.kind);
  }
  std::vector<Users> met;
  for (auto& [place, user] : users) {
    if (user.is_written && user.threads.size() > 1) met.push_back(std::move(user));
  }
  std::stable_sort(met.begin(), met.end(), [](const Users& a, const Users& b) { return a.turns > b.turns; });
  std::vector<LocationRange> ranges;
  for (const Users& user : met) {
    if (ranges.size() < kMostLocations) ranges.push_back(user.range);
  }
  return ranges;
}

// The most telling first.
std::vector<TornAccess> torn_in_wrong_results(const trace::Trace& trace,
                                              const std::vector<LocationRange>& locations) {
  std::vector<TornAccess> torn;
  for (uint32_t thread = 1; thread < trace.threads().size() && torn.size() < kMostTold; ++thread) {
    for (const TornAccess& access : find_torn_accesses(trace, locations, thread, kMostTold))
      if (torn.size() < kMostTold) torn.push_back(access);
  }
  if (!torn.empty()) return torn;
  torn = find_broken_checks(trace);
  torn.resize(std::min(torn.size(), kMostTold));
  return torn;
}

}  // namespace

std::string broken_unit_identity(ReportContext& context) {
  const trace::Trace& trace = context.trace();
  const std::vector<TornAccess> torn = torn_in_wrong_results(trace, meeting_places(trace));
  if (torn.empty()) return "";
  const auto function = [&](uint64_t number) {
    const trace::EventRecord& event = *trace.event_at(number);
    return context.symbols.function_identity(event.site, event.context);
  };
  return fmt::format("between {} and {}", function(torn.front().read), function(torn.front().then));
}

void add_torn_access(ReportContext& context, const TornAccess& torn, FailureStory& story) {
  const trace::Trace& trace = context.trace();
  story.details.push_back(torn_paragraph(context, torn));
  for (const uint64_t number : {torn.read, torn.between, torn.then}) {
    const trace::EventRecord& event = *trace.event_at(number);
    story.key_events.push_back(number);
    story.add_thread(event.thread);
    story.places.push_back({event.site, event.context});
  }
}

FailureStory tell_wrong_results(ReportContext& context, std::string message,
                                std::vector<std::string> identity) {
  const trace::Trace& trace = context.trace();
  FailureStory story;
  story.message = std::move(message);
  story.identity = std::move(identity);
  story.locations = meeting_places(trace);
  for (const TornAccess& access : torn_in_wrong_results(trace, story.locations))
    add_torn_access(context, access, story);
  for (uint32_t thread = 1; thread < trace.threads().size(); ++thread) story.add_thread(thread);
  if (story.places.empty()) {
    for (const trace::EventRecord& event : trace.events()) {
      const bool meets = std::any_of(
          story.locations.begin(), story.locations.end(),
          [&](const LocationRange& range) { return event.thread != 0 && range.overlaps(range_of(event)); });
      if (!meets) continue;
      story.places.push_back({event.site, event.context});
      break;
    }
  }
  return story;
}

}  // namespace heddle
