#include "impact/reasons.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trace/names.h"

namespace heddle {

using trace::EventKind;
using trace::EventRecord;

std::string ImpactWords::locks_text(const SideOfImpact& side, uint32_t context, TraceSymbols& symbols) const {
  std::vector<std::string> names;
  for (const HeldSection& held : side.contexts.held(context)) {
    const EventRecord& event = symbols.trace().events()[side.lock_events.at(held.lock)];
    names.push_back(symbols.location_text(event.object, event.offset) + (held.is_shared ? " (shared)" : ""));
  }
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, " and "));
}

std::string ImpactWords::message_text(TraceSymbols& symbols, uint64_t index) const {
  const EventRecord& event = symbols.trace().events()[index];
  const std::string where = file_line(symbols.line_of_interest(event.site, event.context));
  if (event.kind == EventKind::kFork || event.kind == EventKind::kJoin)
    return fmt::format("the {} of {} at {}", event.kind == EventKind::kFork ? "start" : "join",
                       symbols.trace().thread_name(event.peer), where);
  return fmt::format("{} of {} at {}", trace::to_text(event.kind),
                     symbols.location_text(event.object, event.offset), where);
}

// The first message that only one of the two threads knows of.
std::string ImpactWords::ordering_text(const ImpactedEvent& event) {
  const uint32_t thread = head_.trace().events()[event.event].thread;
  std::set<uint64_t> still;
  for (const ThreadMessage& message : impact_.head.messages[thread]) {
    if (message.event >= event.event) break;
    if (message.partner == kNoPartner) return "now after " + message_text(head_, message.event);
    still.insert(message.partner);
  }
  if (event.partner == kNoPartner) return "";
  const uint32_t before = base_.trace().events()[event.partner].thread;
  for (const ThreadMessage& message : impact_.base.messages[before]) {
    if (message.event >= event.partner) break;
    if (!still.contains(message.event)) return "no longer after " + message_text(base_, message.event);
  }
  return "other messages come before it";
}

std::string ImpactWords::describe(const ImpactedEvent& event) {
  switch (event.reason) {
    case ImpactReason::kNewCode:
      return "new or changed code";
    case ImpactReason::kNewlyReached:
      return event.partner == kNoPartner ? "the base does not come here"
                                         : "the base touches other memory here";
    case ImpactReason::kAccessKind: {
      const EventRecord& now = head_.trace().events()[event.event];
      if (event.partner == kNoPartner) return fmt::format("now {}", trace::to_text(now.kind));
      const EventRecord& before = base_.trace().events()[event.partner];
      return fmt::format("was {}, now {}", trace::to_text(static_cast<trace::MemoryOrder>(before.order)),
                         trace::to_text(static_cast<trace::MemoryOrder>(now.order)));
    }
    case ImpactReason::kLockset:
    case ImpactReason::kLockOrder:
      return fmt::format("was under {}, now under {}", locks_text(impact_.base, event.partner_context, base_),
                         locks_text(impact_.head, event.context, head_));
    case ImpactReason::kLockReleased:
      return fmt::format("{} is let go in between", locks_text(impact_.head, event.context, head_));
    case ImpactReason::kOrdering:
      return ordering_text(event);
  }
  return "";
}

}  // namespace heddle
