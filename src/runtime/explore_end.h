// The end of an explored function: what becomes of the threads that it has not waited for, and of the record.
#pragma once

#include "runtime/runtime.h"

namespace heddle::rt {

// Nobody joins detached threads: those that can come to their end get the time to do so. A thread that then
// is still there belongs to no execution, which is a failure.
void end_threads_of_body();

// Where the record of an execution ends. What happens after that, up to go_back_to(), is not part of it: no
// schedule is followed, and steps are not counted.
struct RecordEnd {
  trace::OutcomeKind kind;
  uint64_t steps;
  uint64_t step_count;  // entries of the tables
  uint64_t input_step_count;
  trace::StepRecord last_step;
};
RecordEnd end_record();
void go_back_to(const RecordEnd& end);

}  // namespace heddle::rt
