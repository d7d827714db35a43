// Schedules as text, for explorations inside the program: the runtime writes and reads them itself.
//
// The format is that of docs/formats.md; trace/schedule.h is the tool's implementation.
#pragma once

#include "runtime/runtime.h"
#include "runtime/sys.h"

namespace heddle::rt {

struct ScheduleTitle {
  bool moves_along;  // its file lies in the directory of the test, wherever that will be
  const char* name;  // of the exploration
  uint64_t number;   // of the exploration among all that the program makes, from 1
  bool first;        // the execution is the first one that the exploration makes
  const char* policy;
  uint64_t seed;
  const char* failure;
  const char* message;
};

// The schedule that the execution has followed so far, with its point set. Lives until the next call.
const char* print_schedule(const ScheduleTitle& title, uint64_t point_count);

// Fills the arena's input tables. Null, or what is wrong. `first_execution` as above.
const char* parse_schedule(const char* text, bool* first_execution);

// "main/1/2", for the thread with this index.
void add_thread_path(uint32_t thread, Text* text);

}  // namespace heddle::rt
