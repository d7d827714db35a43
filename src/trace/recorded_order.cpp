#include "trace/recorded_order.h"

#include <utility>

#include <fmt/format.h>

namespace heddle::trace {

RecordedOrder::RecordedOrder(Trace names, std::string title)
    : names_(std::move(names)),
      title_(std::move(title)),
      rules_(names_.events_dropped() > 0 ? EventRules::Source::kRecordedLate
                                         : EventRules::Source::kRecorded) {}

Expected<void> RecordedOrder::add(std::span<const EventRecord> events) {
  for (const EventRecord& event : events) {
    if (const EventRules::Violation violation = rules_.add(event, number_)) [[unlikely]] {
      const ViolationNames names{.thread = [&](uint32_t thread) { return names_.thread_name(thread); },
                                 .target = [](const EventRecord&) { return std::string("a lock"); },
                                 .unit = "event"};
      return usage_error(fmt::format("{} cannot be what happened, at event {}: {}", title_, number_,
                                     describe(violation, event, names)));
    }
    number_++;
  }
  return {};
}

}  // namespace heddle::trace
