#include "report/trace_text.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "report/event_facts.h"
#include "report/text.h"
#include "trace/names.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::EventRecord;
using trace::Trace;

std::string location_column(TraceSymbols& symbols, const EventRecord& event) {
  if (event.kind == EventKind::kFork || event.kind == EventKind::kJoin)
    return symbols.trace().thread_name(event.peer);
  if (event.object == 0) return "-";
  std::string text = symbols.location_label(event.object, event.offset);
  if (is_access(event.kind) || event.kind == EventKind::kAlloc) text += fmt::format(" ({})", event.size);
  return text;
}

// Where room is short the function's name is cut, not the line.
std::string site_column(TraceSymbols& symbols, const EventRecord& event) {
  constexpr size_t kWidth = 36;
  const std::string text = symbols.site_text(event.site, event.context);
  const size_t blank = text.rfind(' ');
  if (display_width(text) <= kWidth || blank == std::string::npos) return fit_text(text, kWidth);
  const std::string position = text.substr(blank);
  const size_t room = kWidth - std::min(kWidth, display_width(position));
  return fit_text(cut_text(text.substr(0, blank), room) + position, kWidth);
}

std::string flags_column(const Trace& trace, const EventRecord& event) {
  constexpr std::array<std::pair<uint16_t, std::string_view>, 7> kNames = {
      {{trace::event_flag::kPoint, "point"},
       {trace::event_flag::kFailed, "failed"},
       {trace::event_flag::kTimedOut, "timed-out"},
       {trace::event_flag::kRecursive, "recursive"},
       {trace::event_flag::kSpin, "spin"},
       {trace::event_flag::kVptr, "vptr"},
       {trace::event_flag::kRange, "range"}}};
  std::string text;
  auto add = [&](std::string_view word) { text += (text.empty() ? "" : " ") + std::string(word); };
  for (const auto& [flag, name] : kNames) {
    if ((event.flags & flag) != 0) add(name);
  }
  switch (event.kind) {
    case EventKind::kAtomicRead:
    case EventKind::kAtomicWrite:
    case EventKind::kAtomicUpdate:
    case EventKind::kFence:
      add(trace::to_text(static_cast<trace::MemoryOrder>(event.order)));
      break;
    case EventKind::kCondWake:
    case EventKind::kFutexAwake:
      if (event.peer != 0) add("by " + trace.thread_name(event.peer - 1));
      break;
    case EventKind::kNotifyOne:
    case EventKind::kNotifyAll:
    case EventKind::kFutexWake:
      add(fmt::format("woke {}", event.peer));
      break;
    default:
      break;
  }
  return text;
}

size_t thread_column_width(const Trace& trace) {
  size_t width = 4;
  for (uint32_t i = 0; i < trace.threads().size(); ++i) width = std::max(width, trace.thread_name(i).size());
  return std::min<size_t>(width, 24);
}

void print_outcome(std::ostream& out, TraceSymbols& symbols) {
  const trace::OutcomeRecord& outcome = symbols.trace().outcome();
  fmt::print(out, "outcome:   {}", trace::to_text(outcome.kind));
  if (outcome.kind == trace::OutcomeKind::kOk) {
    out << '\n';
    return;
  }
  fmt::print(out, " in {}", symbols.thread_text(outcome.thread));
  if (outcome.site != 0) fmt::print(out, " at {}", symbols.site_text(outcome.site, outcome.context));
  std::string message = printable(symbols.trace().outcome_message());
  fmt::print(out, "{}{}\n", message.empty() ? "" : ": ", message);
}

void print_blocked(std::ostream& out, TraceSymbols& symbols) {
  const Trace& trace = symbols.trace();
  for (const trace::BlockedRecord& blocked : trace.blocked()) {
    bool waits = blocked.wait != trace::WaitKind::kNone;
    fmt::print(out, "at the end: {} {}", trace.thread_name(blocked.thread),
               waits ? fmt::format("waits: {}", trace::to_text(blocked.wait)) : "can go on");
    if (blocked.object != 0) fmt::print(out, " {}", symbols.location_label(blocked.object, blocked.offset));
    fmt::print(out, " at {}", symbols.site_text(blocked.site, blocked.context));
    if (blocked.holder != 0) fmt::print(out, ", for {}", trace.thread_name(blocked.holder - 1));
    if (blocked.early_notifier != 0) {
      fmt::print(out, ", notified early by {} in event {}", trace.thread_name(blocked.early_notifier - 1),
                 blocked.early_event);
    }
    fmt::print(out, "{}\n", blocked.in_cycle != 0 ? " (in the cycle)" : "");
  }
}

std::string command_line(const Trace& trace) {
  return trace.command().empty() ? "not recorded"
                                 : printable(fmt::format("{}", fmt::join(trace.command(), " ")));
}

struct ThreadCounts {
  uint64_t events = 0;
  uint64_t points = 0;
};

struct Location {
  uint32_t object;
  uint64_t offset;
  bool operator==(const Location&) const = default;
};

struct LocationHash {
  size_t operator()(const Location& location) const {
    return std::hash<uint64_t>()(location.offset * 0x9e3779b97f4a7c15u + location.object);
  }
};

// A location is shared if two threads access it.
size_t count_shared_locations(const Trace& trace) {
  constexpr uint32_t kShared = ~0u;
  std::unordered_map<Location, uint32_t, LocationHash> users;
  size_t shared = 0;
  for (const EventRecord& event : trace.events()) {
    if (!is_access(event.kind) || event.object == 0) continue;
    uint32_t& user = users.try_emplace({event.object, event.offset}, event.thread).first->second;
    if (user == event.thread || user == kShared) continue;
    user = kShared;
    ++shared;
  }
  return shared;
}

uint64_t count_switches(const Trace& trace) {
  uint64_t switches = 0;
  auto events = trace.events();
  for (size_t i = 1; i < events.size(); ++i) switches += events[i].thread != events[i - 1].thread ? 1 : 0;
  return switches;
}

// Entry 0 of some tables stands for "none".
size_t without_none(size_t count) {
  return count == 0 ? 0 : count - 1;
}

}  // namespace

void render_trace_dump(std::ostream& out, TraceSymbols& symbols, const DumpFilter& filter) {
  const Trace& trace = symbols.trace();
  size_t thread_width = thread_column_width(trace);
  std::vector<std::string> names;
  for (uint32_t i = 0; i < trace.threads().size(); ++i) names.push_back(trace.thread_name(i));
  auto events = trace.events();
  for (size_t i = 0; i < events.size(); ++i) {
    const EventRecord& event = events[i];
    uint64_t number = trace.events_dropped() + i;
    if (number < filter.first || number > filter.last) continue;
    if (filter.kind && event.kind != *filter.kind) continue;
    if (filter.thread && names[event.thread] != *filter.thread) continue;
    std::string line =
        fmt::format("{:>8}  {}  {:<14}  {}  {}", number, fit_text(names[event.thread], thread_width),
                    trace::to_text(event.kind), fit_text(location_column(symbols, event), 28),
                    site_column(symbols, event));
    std::string flags = flags_column(trace, event);
    if (!flags.empty()) line += "  " + flags;
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  }
  if (trace.events_lost() > 0)
    fmt::print(out, "{} more found no room\n", count_of(trace.events_lost(), "event"));
  print_outcome(out, symbols);
  print_blocked(out, symbols);
}

void render_trace_stats(std::ostream& out, TraceSymbols& symbols) {
  const Trace& trace = symbols.trace();
  std::map<EventKind, uint64_t> by_kind;
  std::vector<ThreadCounts> by_thread(trace.threads().size());
  for (const EventRecord& event : trace.events()) {
    by_kind[event.kind]++;
    by_thread[event.thread].events++;
    if ((event.flags & trace::event_flag::kPoint) != 0) by_thread[event.thread].points++;
  }
  fmt::print(out, "command:   {}\n", command_line(trace));
  fmt::print(out, "policy:    {}\n", trace.policy().empty() ? "not recorded" : trace.policy());
  print_outcome(out, symbols);
  fmt::print(out, "steps:     {}\n", trace.outcome().steps);
  fmt::print(out, "events:    {}", trace.events().size());
  if (trace.events_dropped() > 0)
    fmt::print(out, " (and {} before them that were not kept)", trace.events_dropped());
  if (trace.events_lost() > 0)
    fmt::print(out, " (and {} after them that found no room)", trace.events_lost());
  fmt::print(out, "\nswitches:  {}\n", count_switches(trace));
  fmt::print(out, "shared:    {} accessed by more than one thread\n",
             count_of(count_shared_locations(trace), "location"));
  fmt::print(out, "tables:    {} sites, {} contexts, {} objects, {} points, {} covered blocks\n",
             without_none(trace.sites().size()), without_none(trace.contexts().size()),
             without_none(trace.objects().size()), trace.points().size(), trace.coverage().size());
  out << "modules:\n";
  for (const trace::ModuleRecord& module : trace.modules()) {
    std::string_view build_id = trace.string(module.build_id);
    fmt::print(out, "  {}  {}\n", trace.string(module.path), build_id.empty() ? "no build-id" : build_id);
  }
  out << "threads:\n";
  for (uint32_t i = 0; i < by_thread.size(); ++i) {
    fmt::print(out, "  {:<16}  {:>10} events  {:>10} points\n", symbols.thread_text(i), by_thread[i].events,
               by_thread[i].points);
  }
  out << "kinds:\n";
  for (const auto& [kind, count] : by_kind)
    fmt::print(out, "  {:<16}  {:>10}\n", trace::to_text(kind), count);
}

}  // namespace heddle
