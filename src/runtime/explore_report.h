// What an exploration says of a failure: a message for people, the schedule, and a file that holds it.
#pragma once

#include "heddle/heddle_c.h"
#include "runtime/runtime.h"

namespace heddle::rt {

const char* kind_name(trace::OutcomeKind kind);

struct ExploredFailure {
  const heddle_options& options;
  uint64_t number;  // of the exploration
  uint64_t seed;
  uint64_t point_count;  // when the execution began
  bool first;            // execution of the exploration
};

// The outcome of the current execution. The texts in `told` live until the next call.
void tell_failure(const ExploredFailure& failure, heddle_result* told);

}  // namespace heddle::rt
