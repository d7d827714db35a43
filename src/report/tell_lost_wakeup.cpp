// Teller of executions in which a thread waits to be woken and nobody is left to do it.
#include <algorithm>

#include <fmt/format.h>

#include "report/causes.h"
#include "report/tellers.h"
#include "report/text.h"
#include "report/wait_history.h"
#include "trace/names.h"

namespace heddle {
namespace {

using trace::BlockedRecord;
using trace::EventRecord;
using trace::WaitKind;

// The first ones say what went wrong; the others are listed as waiting, too.
constexpr size_t kMaxVictims = 3;

struct Waiter {
  BlockedRecord blocked;
  WaitHistory history;
};

// Those that a lost wake-up is about: who missed something, else who may have, else everybody.
std::vector<Waiter> find_victims(const trace::Trace& trace) {
  std::vector<Waiter> waiters;
  WaitVerdict worst = WaitVerdict::kIdle;
  for (const BlockedRecord& blocked : trace.blocked()) {
    if (blocked.wait != WaitKind::kCond && blocked.wait != WaitKind::kFutex) continue;
    Waiter waiter{blocked, find_wait_history(trace, blocked)};
    // The runtime remembers also what is no longer among the events.
    const bool was_early = !waiter.history.notify && blocked.early_notifier != 0;
    if (was_early && waiter.history.verdict == WaitVerdict::kUnknown)
      waiter.history.verdict = WaitVerdict::kMissed;
    worst = std::min(worst, waiter.history.verdict);
    waiters.push_back(std::move(waiter));
  }
  std::erase_if(waiters, [&](const Waiter& waiter) { return waiter.history.verdict != worst; });
  return waiters;
}

const EventRecord& event_of(const ReportContext& context, uint64_t number) {
  return *context.trace().event_at(number);
}

Place place_of_event(const ReportContext& context, uint64_t number) {
  const EventRecord& event = event_of(context, number);
  return {event.site, event.context};
}

std::string_view what_it_did_then(AfterWake then) {
  switch (then) {
    case AfterWake::kWaitedAgain:
      return "had no use for it and waited again";
    case AfterWake::kEnded:
      return "went on and has ended";
    case AfterWake::kWentOn:
      break;
  }
  return "went on";
}

std::string names_of(const ReportContext& context, const std::vector<WokenThread>& woken) {
  std::vector<std::string> names;
  for (const WokenThread& each : woken) names.push_back(context.thread(each.thread));
  return join_words(names);
}

// Why one waiter was not woken, as a part of a sentence; empty if there is nothing to say.
std::string cause_of(const ReportContext& context, const Waiter& waiter) {
  const WaitHistory& history = waiter.history;
  if (history.verdict != WaitVerdict::kMissed) return {};
  if (!history.notify && waiter.blocked.early_notifier != 0) {
    return fmt::format("the notify of {} came too early", context.thread(waiter.blocked.early_notifier - 1));
  }
  if (!history.notify || history.notify_before_change)
    return "nobody notified it after the change it waits for";
  if (history.notify->before_wait) {
    return fmt::format("the notify of {} came too early",
                       context.thread(event_of(context, history.notify->event).thread));
  }
  return fmt::format("the last notify woke {} instead", names_of(context, history.notify->woken));
}

std::string message_for(const ReportContext& context, const std::vector<Waiter>& victims) {
  std::vector<std::string> names;
  std::string cause;
  for (const Waiter& victim : victims) {
    names.push_back(context.thread(victim.blocked.thread));
    const std::string own = cause_of(context, victim);
    if (names.size() == 1) cause = own;
    if (own != cause) cause.clear();
  }
  if (!cause.empty()) return fmt::format("{} can never be woken: {}", join_words(names), cause);
  return fmt::format("{} wait{} to be woken, and no thread is left to do it", join_words(names),
                     names.size() == 1 ? "s" : "");
}

// Why the thread that made the change did not announce it is decided by what it saw there.
void tell_what_it_saw(ReportContext& context, uint64_t written, FailureStory& story) {
  const trace::Trace& trace = context.trace();
  const uint64_t dropped = trace.events_dropped();
  for (const Cause& cause : Causes(trace).of_section(written - dropped)) {
    const EventRecord& read = trace.events()[cause.read];
    const EventRecord& write = trace.events()[cause.write];
    story.details.push_back(
        {fmt::format("before that change, {} saw {} as {} had left it:", context.thread(read.thread),
                     context.symbols.location_text(read.object, read.offset), context.thread(write.thread)),
         {fmt::format("{} wrote it {}", context.thread(write.thread),
                      context.place_text({write.site, write.context})),
          fmt::format("{} read it {}", context.thread(read.thread),
                      context.place_text({read.site, read.context}))}});
    story.add_thread(write.thread);
    story.key_events.insert(story.key_events.end(), {dropped + cause.read, dropped + cause.write});
    return;
  }
}

void tell_change(ReportContext& context, const Waiter& waiter, FailureStory& story) {
  const StaleView& stale = *waiter.history.stale;
  const EventRecord& read = event_of(context, stale.read);
  const auto line = [&](uint64_t number, std::string_view what) {
    return fmt::format("{} {} it {}", context.thread(event_of(context, number).thread), what,
                       context.place_text(place_of_event(context, number)));
  };
  story.details.push_back({fmt::format("{} has changed since {} looked at it:",
                                       context.symbols.location_text(read.object, read.offset),
                                       context.thread(waiter.blocked.thread)),
                           {line(stale.read, "read"), line(stale.written, "wrote")}});
  story.locations.push_back({read.object, read.offset, std::max<uint64_t>(read.size, 1)});
  story.add_thread(event_of(context, stale.written).thread);
  story.key_events.insert(story.key_events.end(), {stale.read, stale.written});
  tell_what_it_saw(context, stale.written, story);
}

void tell_notify(ReportContext& context, const Waiter& waiter, FailureStory& story) {
  const LastNotify& notify = *waiter.history.notify;
  const EventRecord& event = event_of(context, notify.event);
  const std::string notifier = context.thread(event.thread);
  const std::string name = context.thread(waiter.blocked.thread);
  const Place place = place_of_event(context, notify.event);
  const std::string_view times = notify.woken.size() > event.peer ? " several times" : "";
  Paragraph paragraph;
  if (waiter.history.notify_before_change) {
    paragraph.text = fmt::format("the last notify, of {}, came before that change", notifier);
  } else if (notify.before_wait) {
    paragraph.text = fmt::format("{} notified{} too early, when {} did not wait yet", notifier, times, name);
  } else {
    paragraph.text = fmt::format("{} notified{} while {} waited", notifier, times, name);
  }
  if (!notify.woken.empty()) paragraph.text += ", and woke " + names_of(context, notify.woken);
  paragraph.lines.push_back(context.place_text(place));
  for (const WokenThread& woken : notify.woken) {
    paragraph.lines.push_back(
        fmt::format("{} {}", context.thread(woken.thread), what_it_did_then(woken.then)));
    story.add_thread(woken.thread);
    story.key_events.push_back(woken.wake);
  }
  story.details.push_back(std::move(paragraph));
  story.add_thread(event.thread);
  story.places.push_back(place);
  story.key_events.push_back(notify.event);
}

// What the runtime remembers of a notify that is no longer among the events.
void tell_early_notify(ReportContext& context, const BlockedRecord& blocked, FailureStory& story) {
  const Place place{blocked.early_site, blocked.early_context};
  story.details.push_back(
      {fmt::format("{} notified too early, when nobody waited", context.thread(blocked.early_notifier - 1)),
       {context.place_text(place)}});
  story.add_thread(blocked.early_notifier - 1);
  story.places.push_back(place);
  story.key_events.push_back(blocked.early_event);
}

void tell_waiter(ReportContext& context, const Waiter& waiter, FailureStory& story) {
  const WaitHistory& history = waiter.history;
  story.add_thread(waiter.blocked.thread);
  story.places.push_back(waiting_place(context, waiter.blocked));
  story.locations.push_back({waiter.blocked.object, waiter.blocked.offset, 1});
  story.details.push_back(waiting_paragraph(context, waiter.blocked));
  if (history.verdict == WaitVerdict::kIdle) {
    story.details.back().lines.push_back("nothing that it looked at before has changed since");
  }
  if (history.wait) story.key_events.push_back(*history.wait);
  if (history.stale) tell_change(context, waiter, story);
  if (history.notify) {
    tell_notify(context, waiter, story);
  } else if (waiter.blocked.early_notifier != 0 && history.verdict == WaitVerdict::kMissed) {
    tell_early_notify(context, waiter.blocked, story);
  }
}

// The condition, and the file in which it is waited for since names are short: who waits in vain, and which
// notify went wrong, is up to the schedule. A variable on a stack, or one of the standard library's, is known
// only by the function that waits there.
std::string identity_of(ReportContext& context, const BlockedRecord& blocked) {
  const std::string location = context.symbols.location_identity(blocked.object, blocked.offset);
  const trace::ObjectKind kind = context.trace().objects()[blocked.object].kind;
  const bool is_named = kind == trace::ObjectKind::kHeap ||
                        (kind == trace::ObjectKind::kGlobal && !location.starts_with("std::"));
  const Place place = waiting_place(context, blocked);
  const Frame& frame = context.symbols.line_of_interest(place.site, place.context);
  const std::string where = is_named && !frame.file.empty()
                                ? frame.file.substr(frame.file.rfind('/') + 1)
                                : context.symbols.function_identity(place.site, place.context);
  return fmt::format("{} {} in {}", trace::to_text(blocked.wait), location, where);
}

}  // namespace

FailureStory tell_lost_wakeup(ReportContext& context) {
  const std::vector<Waiter> victims = find_victims(context.trace());
  FailureStory story;
  story.message = message_for(context, victims);
  size_t told = 0;
  for (const Waiter& victim : victims) {
    if (told++ < kMaxVictims) tell_waiter(context, victim, story);
    story.identity.push_back(identity_of(context, victim.blocked));
  }
  forget_order(story.identity);
  add_other_threads(context, story);
  return story;
}

}  // namespace heddle
