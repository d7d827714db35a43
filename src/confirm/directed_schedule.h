// DirectedSchedule: an order of a trace's events as a schedule that the runtime can follow.
//
// A schedule consists of choices, each of which lets a thread make one step; a step has one event or several.
// The trace must have been recorded with its choices (record_test()). Where the order was made by a
// predictor, the program may do something else once a value differs: then the schedule cannot be followed,
// and the execution says at which choice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace/schedule.h"
#include "trace/trace.h"

namespace heddle {

struct DirectedSchedule {
  trace::Schedule schedule;
  // For each of the events: the number of the choice whose step it belongs to, in the schedule.
  std::vector<uint64_t> choices;
};

// Schedules trace-wide tables once, so that many orders of one trace cost little.
class ScheduleMaker {
 public:
  explicit ScheduleMaker(const trace::Trace& trace);

  // `events` are indices into the trace's events; those of one thread are in their order, from its first one
  // on.
  DirectedSchedule make(std::span<const uint64_t> events) const;

 private:
  struct Step {
    uint64_t choice;          // index in the trace's choices
    uint64_t wakes_from = 0;  // the kWake choices that follow it
    uint64_t wakes_to = 0;
  };

  const trace::Trace& trace_;
  trace::ThreadTree tree_;
  std::vector<uint32_t> entries_;         // by thread: in the tree
  std::vector<uint32_t> step_of_;         // by event: its step's number in its thread
  std::vector<std::vector<Step>> steps_;  // by thread
};

}  // namespace heddle
