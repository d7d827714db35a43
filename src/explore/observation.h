// Observation: one execution as a search of schedules sees it.
//
// It does not matter to a search where executions come from. The tool makes them with a fork server
// (observe_trace.h); tests make them with an interpreter of operation lists. Either way threads are entries
// of one trace::ThreadTree that the whole search shares, and objects are keys that mean the same in every
// execution that begins with the same choices.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

#include "trace/layout.h"

namespace heddle {

// One way for an execution to go on: `thread` executes its next operation (kRun), its timed wait ends by the
// timeout (kTimeout), its wait ends for no reason (kSpurious), or the notify just executed wakes it (kWake).
struct Choice {
  uint32_t thread = 0;
  trace::StepKind kind = trace::StepKind::kRun;

  auto operator<=>(const Choice&) const = default;
};

inline bool contains(const std::vector<Choice>& choices, const Choice& choice) {
  return std::find(choices.begin(), choices.end(), choice) != choices.end();
}

// What a step does to one object. A step can do several things: a wait on a condition also unlocks its mutex.
// A step of kind kWake does nothing: the notify, in the step before it, does.
struct Operation {
  trace::EventKind kind = trace::EventKind::kNone;
  uint64_t object = 0;  // key; 0: none
  uint64_t offset = 0;
  uint64_t size = 1;   // bytes; 1 for locks and the like, which are one thing wherever they are touched
  uint16_t flags = 0;  // trace::event_flag
  uint32_t peer = 0;   // the other thread of a fork or join
  uint32_t value = 0;  // semaphores: what it held before, plus 1; 0 if that is not known
  // Keys of the place in the program with its calling context:
  uint64_t statement = 0;     // in the source, the same in every build (history/statement.h); or `place`
  uint64_t place = 0;         // in the machine code, as the runtime names it (trace/statement.h)
  bool is_preferred = false;  // at one of the lines around which the user wants switches (preferred_lines.h)
};

struct ObservedStep {
  Choice chosen;
  std::vector<Choice> alternatives;  // all that could have been chosen, `chosen` included
  std::vector<Operation> operations;
};

// What a thread was about to do when the execution ended: it waited for ever, or another thread ended the
// process.
struct PendingOperation {
  uint32_t thread = 0;
  Operation operation;  // of kind kNone: it could have gone on, but it is not known with what
};

struct Observation {
  std::vector<ObservedStep> steps;
  std::vector<PendingOperation> pending;  // of all threads that had not ended; with operations only
  trace::OutcomeKind outcome = trace::OutcomeKind::kOk;
  bool diverged = false;  // the plan could not be followed
  bool blocked = false;   // it ended because all that could go on was asleep (see Plan)
  bool unsure = false;    // there may be ways to go on that it does not tell of
};

// Whether a thread has ended the process while others could still have gone on.
inline bool ended_early(const Observation& seen) {
  const bool stuck = seen.blocked || seen.outcome == trace::OutcomeKind::kDeadlock ||
                     seen.outcome == trace::OutcomeKind::kLostWakeup;
  if (stuck || seen.steps.empty()) return false;
  const ObservedStep& last = seen.steps.back();
  return std::any_of(last.alternatives.begin(), last.alternatives.end(),
                     [&](const Choice& choice) { return choice.thread != last.chosen.thread; });
}

}  // namespace heddle
