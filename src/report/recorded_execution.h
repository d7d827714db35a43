// RecordedExecution: the end of an execution, event by event, in names: what an interactive view shows.
//
// Plain data that outlives the trace. Names are in tables, events have indices into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/report_context.h"
#include "report/source_line.h"
#include "report/story.h"
#include "trace/layout.h"

namespace heddle {

struct RecordedExecution {
  struct Thread {
    std::string name;   // "main/1"
    std::string label;  // "main/1 (worker)" if the program gave it a name
    std::optional<uint32_t> parent;
    bool takes_part = false;  // in the failure
  };
  // Memory or a lock.
  struct Object {
    std::string name;  // "account_lock", "Account::balance", "heap#3+16"
    bool of_failure = false;
  };
  struct Event {
    uint64_t number = 0;  // in the execution
    uint32_t thread = 0;
    trace::EventKind kind = trace::EventKind::kNone;
    uint16_t flags = 0;     // trace::event_flag
    uint32_t place = 0;     // index in places; 0: not known
    uint32_t object = 0;    // index in objects; 0: none
    uint32_t size = 0;      // of an access; of other kinds as EventRecord::peer has it
    bool is_key = false;    // the failure cannot be understood without it
    bool is_point = false;  // other threads could have run instead
  };
  // What happens before what, across threads. Both are indices in events.
  struct Order {
    size_t before = 0;
    size_t after = 0;
  };
  // A lock that a thread holds. Indices in events; `end` is their number if it is not released there.
  struct Held {
    uint32_t thread = 0;
    uint32_t object = 0;
    size_t begin = 0;
    size_t end = 0;
    bool is_exclusive = true;
  };

  std::vector<Thread> threads;     // all of the execution
  std::vector<SourceLine> places;  // 0 is none
  std::vector<Object> objects;     // 0 is none
  std::vector<Event> events;       // by number, with gaps
  std::vector<Order> orders;
  std::vector<Held> held;
  uint64_t events_in_all = 0;  // of the execution
  std::map<std::string, std::vector<std::string>>
      sources;  // lines by SourceLine::file, as far as they are there
};

// At most so many events are in it: the last ones, and those that matter for the failure.
inline constexpr size_t kMostRecordedEvents = 10'000;

RecordedExecution record_execution(ReportContext& context, const FailureStory& story,
                                   const SourceScope& scope, size_t most_events = kMostRecordedEvents);

// "read", "lock", "start thread": what the event does.
std::string_view verb(const RecordedExecution::Event& event);

}  // namespace heddle
