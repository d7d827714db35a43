// A schedule of the base, carried over to the head of a change.
//
// A schedule counts steps, and a change makes other steps of them. What lasts is where threads were switched:
// before which statement, executed for the how-manieth time, a thread was left for another one. So an
// execution of the base is taken apart into runs of threads, each with the place where it ends, and the head
// is executed once for each of them to find out how many steps lead to the corresponding place.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "execute/execution.h"
#include "impact/comparable_trace.h"
#include "support/error.h"
#include "trace/schedule.h"

namespace heddle {

// Something that a thread does, by names that mean the same in both versions.
struct PlaceInThread {
  uint64_t operation = 0;   // statement, calling context and kind
  uint64_t occurrence = 0;  // from 1

  bool operator==(const PlaceInThread&) const = default;
};

// A thread runs, without others in between.
struct ThreadRun {
  uint64_t thread = 0;                           // see ComparableTrace::thread
  trace::StepKind kind = trace::StepKind::kRun;  // else one step, such as a timeout
  std::vector<PlaceInThread> stops;              // it ends before the first of them that there is; none:
                                                 // when it cannot go on
};
// Of a trace with its choices. Whom a notify wakes is left out.
std::vector<ThreadRun> runs_of(const ComparableTrace& trace);

struct CarriedSchedule {
  trace::Schedule schedule;
  uint64_t followed = 0;  // runs that the head has made as well
  uint64_t executions = 0;
};

struct HeadOfSchedule {
  // With events and choices; it goes on by itself where the schedule cannot be followed.
  std::function<Expected<Execution>(const trace::Schedule&)> execute;
  std::function<VersionNames(const trace::Trace&)> names;
};
// Ends where the head does something else, or fails.
Expected<CarriedSchedule> carry_over(const std::vector<ThreadRun>& runs, const HeadOfSchedule& head);

}  // namespace heddle
