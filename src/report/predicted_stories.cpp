#include "report/predicted_stories.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/broken_units.h"
#include "report/event_facts.h"
#include "report/tellers.h"
#include "report/text.h"
#include "report/tsan_text.h"
#include "trace/names.h"

namespace heddle {
namespace {

using trace::EventRecord;

trace::RaceAccess side_of(const trace::Trace& trace, uint64_t event) {
  const EventRecord& record = trace.events()[event];
  return {.thread = record.thread,
          .site = record.site,
          .context = record.context,
          .size = record.size,
          .offset = record.offset,
          .event = event + 1,
          .kind = record.kind,
          .reserved = {}};
}

std::string function_at(ReportContext& context, const EventRecord& event) {
  return context.symbols.function_identity(event.site, event.context);
}

}  // namespace

trace::RaceRecord race_between(const trace::Trace& trace, uint64_t first, uint64_t second) {
  return {.object = trace.events()[second].object,
          .ordered = 0,
          .first = side_of(trace, first),
          .second = side_of(trace, second)};
}

FailureStory tell_race_between(ReportContext& context, uint64_t first, uint64_t second) {
  return tell_race(context, race_between(context.trace(), first, second));
}

std::vector<LockCycleEdge> lock_cycle_of(const ReportContext& context,
                                         const std::vector<uint64_t>& acquires) {
  const trace::Trace& trace = context.trace();
  std::vector<LockCycleEdge> cycle;
  for (const uint64_t acquire : acquires) {
    LockCycleEdge edge{.acquire = trace.events()[acquire], .acquire_number = acquire};
    for (const LockAtEvent& lock : context.locks_held_at(acquire)) {
      const bool is_wanted = std::any_of(acquires.begin(), acquires.end(), [&](uint64_t other) {
        return trace.events()[other].object == lock.object && trace.events()[other].offset == lock.offset;
      });
      if (!is_wanted) continue;
      edge.held = trace.events()[lock.event];
      edge.held_number = lock.event;
    }
    cycle.push_back(edge);
  }
  return cycle;
}

FailureStory tell_lock_cycle(ReportContext& context, const std::vector<LockCycleEdge>& cycle,
                             bool is_certain) {
  FailureStory story;
  std::vector<std::string> names;
  for (const LockCycleEdge& edge : cycle) {
    const EventRecord& acquire = edge.acquire;
    // Who holds what this one waits for.
    const auto holder = [&]() -> const LockCycleEdge* {
      for (const LockCycleEdge& other : cycle) {
        if (other.held.object == acquire.object && other.held.offset == acquire.offset) return &other;
      }
      return nullptr;
    }();
    names.push_back(context.thread(acquire.thread));
    story.add_thread(acquire.thread);
    story.places.push_back({acquire.site, acquire.context});
    story.locations.push_back({acquire.object, acquire.offset, 1});
    story.key_events.push_back(edge.acquire_number);
    Paragraph paragraph{fmt::format("{} would wait for {}", context.thread(acquire.thread),
                                    context.object_name("mutex", acquire.object, acquire.offset)),
                        {context.place_text({acquire.site, acquire.context})}};
    std::string identity = fmt::format("{} {} in {}", trace::to_text(trace::WaitKind::kLock),
                                       context.symbols.location_identity(acquire.object, acquire.offset),
                                       function_at(context, acquire));
    if (holder != nullptr) {
      const EventRecord& held = holder->held;
      paragraph.lines.push_back(fmt::format("held by {}, taken {}", context.thread(held.thread),
                                            context.place_text({held.site, held.context})));
      identity += " held in " + function_at(context, held);
      story.places.push_back({held.site, held.context});
      story.key_events.push_back(holder->held_number);
    }
    story.details.push_back(std::move(paragraph));
    story.identity.push_back(std::move(identity));
  }
  forget_order(story.identity);
  story.message = fmt::format("{} {} wait for each other{}", join_words(names), is_certain ? "can" : "could",
                              cycle.size() > 2 ? " in a circle" : "");
  return story;
}

FailureStory tell_pattern(ReportContext& context, std::string_view name, std::string_view meaning,
                          const std::vector<uint64_t>& events) {
  FailureStory story;
  const std::span<const EventRecord> all = context.trace().events();
  std::vector<std::string> sentence;
  Paragraph accesses{"in this order:", {}};
  story.identity.emplace_back(name);
  std::string what;
  for (const uint64_t number : events) {
    const EventRecord& event = all[number];
    const std::string location = context.symbols.location_text(event.object, event.offset);
    if (what.empty()) what = location;
    const Frame& frame = context.symbols.line_of_interest(event.site, event.context);
    sentence.push_back(
        fmt::format("{} by {} in {}", verb(event), context.thread(event.thread), frame.function));
    accesses.lines.push_back(fmt::format("{} {} by {} {}", verb(event), location,
                                         context.thread(event.thread),
                                         context.place_text({event.site, event.context})));
    story.identity.push_back(
        fmt::format("{} in {}", trace::to_text(event.kind), function_at(context, event)));
    story.add_thread(event.thread);
    story.places.push_back({event.site, event.context});
    story.locations.push_back({event.object, event.offset, std::max<uint32_t>(event.size, 1)});
    story.key_events.push_back(number);
  }
  if (!events.empty()) {
    const EventRecord& first = all[events.front()];
    story.identity.push_back(context.symbols.location_identity(first.object, first.offset));
  }
  // The meaning of a pattern says what happens to one thread; without a pattern, only the accesses do.
  story.message = name == kNotSerializable
                      ? fmt::format("{} ({}): {}", broken_units_sentence(context, events), name,
                                    fmt::join(sentence, ", "))
                      : fmt::format("{} ({}) on {}: {}", meaning, name, what, fmt::join(sentence, ", "));
  story.details.push_back(std::move(accesses));
  return story;
}

}  // namespace heddle
