// Teller of executions in which no thread can run, and what tellers say about threads that wait.
#include <algorithm>

#include <fmt/format.h>

#include "report/event_facts.h"
#include "report/tellers.h"
#include "report/text.h"
#include "trace/names.h"

namespace heddle {
namespace {

using trace::BlockedRecord;
using trace::EventKind;
using trace::EventRecord;
using trace::WaitKind;

LocationRange location(const BlockedRecord& blocked) {
  return {blocked.object, blocked.offset, 1};
}

// Who waits for something else than the end of another thread; everybody who waits if there is nobody.
std::vector<BlockedRecord> stuck_threads(const trace::Trace& trace) {
  std::vector<BlockedRecord> waiting;
  for (const BlockedRecord& blocked : trace.blocked()) {
    if (blocked.wait != WaitKind::kNone) waiting.push_back(blocked);
  }
  std::vector<BlockedRecord> stuck = waiting;
  std::erase_if(stuck, [](const BlockedRecord& blocked) { return blocked.wait == WaitKind::kJoin; });
  return stuck.empty() ? waiting : stuck;
}

// The edges of the cycle in the order of waiting, beginning with the thread created first; the stuck threads
// if the runtime named no cycle.
std::vector<BlockedRecord> cycle_in_order(const trace::Trace& trace) {
  std::vector<BlockedRecord> rest;
  for (const BlockedRecord& blocked : trace.blocked()) {
    if (blocked.in_cycle != 0) rest.push_back(blocked);
  }
  if (rest.empty()) return stuck_threads(trace);
  std::vector<BlockedRecord> ordered;
  auto by_thread = [](const BlockedRecord& a, const BlockedRecord& b) { return a.thread < b.thread; };
  auto next = std::min_element(rest.begin(), rest.end(), by_thread);
  while (next != rest.end()) {
    ordered.push_back(*next);
    rest.erase(next);
    next = std::find_if(rest.begin(), rest.end(),
                        [&](const BlockedRecord& b) { return b.thread + 1 == ordered.back().holder; });
  }
  return ordered;
}

// The number of the event with which `thread` took what it still holds.
std::optional<uint64_t> acquisition(const trace::Trace& trace, uint32_t thread, const LocationRange& lock) {
  auto events = trace.events();
  for (size_t i = events.size(); i > 0; --i) {
    const EventRecord& event = events[i - 1];
    bool failed = (event.flags & trace::event_flag::kFailed) != 0;
    if (event.thread == thread && is_acquire(event.kind) && !failed && range_of(event).overlaps(lock)) {
      return trace.events_dropped() + i - 1;
    }
  }
  return std::nullopt;
}

// The runtime's wait for exclusive access does not say of what; reader-writer locks are also read-locked.
bool is_shared_lock(const trace::Trace& trace, const LocationRange& lock) {
  auto events = trace.events();
  return std::any_of(events.begin(), events.end(), [&](const EventRecord& event) {
    bool is_read_lock = event.kind == EventKind::kReadLock || event.kind == EventKind::kTryReadLock;
    return is_read_lock && range_of(event).overlaps(lock);
  });
}

std::string holder_line(ReportContext& context, const BlockedRecord& blocked) {
  std::string who = context.thread(blocked.holder - 1);
  bool is_self = blocked.holder == blocked.thread + 1;
  bool is_once = blocked.wait == WaitKind::kOnce;
  std::string line =
      fmt::format("{} {}{}", is_once ? "in progress in" : "held by", who, is_self ? " itself" : "");
  if (blocked.holder_site != 0) {
    line += fmt::format(", {} {}", is_once ? "begun" : "taken",
                        context.place_text({blocked.holder_site, blocked.holder_context}));
  }
  return line;
}

std::string deadlock_message(ReportContext& context, const std::vector<BlockedRecord>& cycle) {
  std::vector<std::string> names;
  for (const BlockedRecord& blocked : cycle) names.push_back(context.thread(blocked.thread));
  if (cycle.empty()) return "no thread can run";
  if (cycle.front().in_cycle == 0) {
    std::string why = cycle.size() == 1 ? ": it " + wait_phrase(context, cycle.front()) : "";
    return fmt::format("{} can never go on{}", join_words(names), why);
  }
  if (cycle.size() == 1) return fmt::format("{} waits for itself", names[0]);
  std::string_view circle = cycle.size() > 2 ? " in a circle" : "";
  return fmt::format("{} wait for each other{}", join_words(names), circle);
}

std::string waiting_identity(ReportContext& context, const BlockedRecord& blocked) {
  Place place = waiting_place(context, blocked);
  return fmt::format("{} {} in {}", trace::to_text(blocked.wait),
                     context.symbols.location_identity(blocked.object, blocked.offset),
                     context.symbols.function_identity(place.site, place.context));
}

}  // namespace

void forget_order(std::vector<std::string>& identity) {
  std::sort(identity.begin(), identity.end());
  identity.erase(std::unique(identity.begin(), identity.end()), identity.end());
}

Place waiting_place(const ReportContext& context, const BlockedRecord& blocked) {
  return context.user_place(blocked.thread, {blocked.site, blocked.context});
}

Paragraph waiting_paragraph(ReportContext& context, const BlockedRecord& blocked) {
  Paragraph paragraph{fmt::format("{} {}", context.thread(blocked.thread), wait_phrase(context, blocked)),
                      {}};
  paragraph.lines.push_back(context.place_text(waiting_place(context, blocked)));
  if (blocked.holder != 0 && blocked.wait != WaitKind::kJoin) {
    paragraph.lines.push_back(holder_line(context, blocked));
  }
  return paragraph;
}

std::string wait_phrase(ReportContext& context, const BlockedRecord& blocked) {
  constexpr std::string_view kGuard = "guard variable for ";
  auto object = [&](std::string_view noun) {
    return context.object_name(noun, blocked.object, blocked.offset);
  };
  switch (blocked.wait) {
    case WaitKind::kLock:
      return "waits for " + object(is_shared_lock(context.trace(), location(blocked)) ? "lock" : "mutex");
    case WaitKind::kReadLock:
      return "waits to read-lock " + object("lock");
    case WaitKind::kJoin:
      return blocked.holder == 0 ? "waits for a thread to end"
                                 : fmt::format("waits for {} to end", context.thread(blocked.holder - 1));
    case WaitKind::kCond:
      return "waits on " + object("condition");
    case WaitKind::kSemaphore:
      return "waits for " + object("semaphore");
    case WaitKind::kBarrier:
      return "waits at " + object("barrier");
    case WaitKind::kOnce: {
      std::string name = context.symbols.location_label(blocked.object, blocked.offset);
      if (!name.starts_with(kGuard)) return "waits for the end of call_once on " + object("flag");
      return fmt::format("waits for the initialisation of `{}`", name.substr(kGuard.size()));
    }
    case WaitKind::kFutex:
      return "waits for a change of " + object("value");
    case WaitKind::kSleep:
      return "sleeps";
    case WaitKind::kSpin:
      return "spins until a value changes";
    case WaitKind::kInput:
      return blocked.object == 0 ? "waits for input" : "waits for input on " + object("input");
    case WaitKind::kSignal:
      return "waits for a signal";
    case WaitKind::kChild:
      return "waits for a child process to end";
    case WaitKind::kNone:
      break;
  }
  return "can go on";
}

void add_other_threads(ReportContext& context, FailureStory& story) {
  Paragraph others{"also waiting:", {}};
  for (const BlockedRecord& blocked : context.trace().blocked()) {
    Place place = waiting_place(context, blocked);
    bool waits = blocked.wait != WaitKind::kNone;
    if (waits && !story.has_thread(blocked.thread)) {
      others.lines.push_back(fmt::format("{} {}, {}", context.thread(blocked.thread),
                                         wait_phrase(context, blocked), context.place_text(place)));
    }
    // By now every object has been introduced, so that the note is short.
    story.ends.try_emplace(blocked.thread, ThreadEnd{place, waits ? wait_phrase(context, blocked) : ""});
  }
  if (!others.lines.empty()) story.details.push_back(std::move(others));

  Paragraph started{"threads:", {}};
  for (uint32_t thread : story.threads) {
    // A trace without tables still has an outcome, whose thread counts from 0.
    if (thread >= context.trace().threads().size()) continue;
    const trace::ThreadRecord& record = context.trace().threads()[thread];
    if (record.create_site == 0) continue;
    started.lines.push_back(fmt::format("{} was started {}", context.thread(thread),
                                        context.place_text({record.create_site, record.create_context})));
  }
  if (!started.lines.empty()) story.details.push_back(std::move(started));
}

FailureStory tell_deadlock(ReportContext& context) {
  const trace::Trace& trace = context.trace();
  std::vector<BlockedRecord> cycle = cycle_in_order(trace);
  FailureStory story;
  story.message = deadlock_message(context, cycle);
  for (const BlockedRecord& blocked : cycle) {
    story.add_thread(blocked.thread);
    story.places.push_back(waiting_place(context, blocked));
    story.locations.push_back(location(blocked));
    story.details.push_back(waiting_paragraph(context, blocked));
    story.identity.push_back(waiting_identity(context, blocked));
    if (blocked.holder == 0) continue;
    if (blocked.holder_site != 0) {
      story.places.push_back({blocked.holder_site, blocked.holder_context});
      story.identity.back() +=
          " held in " + context.symbols.function_identity(blocked.holder_site, blocked.holder_context);
    }
    std::optional<uint64_t> event = acquisition(trace, blocked.holder - 1, location(blocked));
    if (event) story.key_events.push_back(*event);
  }
  forget_order(story.identity);
  add_other_threads(context, story);
  return story;
}

}  // namespace heddle
