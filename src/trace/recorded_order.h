// RecordedOrder: do the events of a recorded trace obey EventRules? Errors name the trace and the event.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "support/error.h"
#include "trace/event_rules.h"
#include "trace/trace.h"

namespace heddle::trace {

class RecordedOrder {
 public:
  // `names` has the threads.
  RecordedOrder(Trace names, std::string title);

  // The next events.
  Expected<void> add(std::span<const EventRecord> events);

 private:
  Trace names_;
  std::string title_;
  EventRules rules_;
  uint64_t number_ = 0;  // of the next event
};

}  // namespace heddle::trace
