// Effect: what of an operation matters to the order of steps.
#pragma once

#include <vector>

#include "explore/observation.h"
#include "trace/dependence.h"

namespace heddle {

struct Effect {
  trace::OperationClass kind = trace::OperationClass::kNone;
  trace::OperationClass at_most = trace::OperationClass::kNone;  // if it failed: what it could have been
  // A lock, or a once that another thread executes: what a thread waits for that wants it, and what ends
  // that.
  bool waits = false;     // the operation could not be executed while another thread held the object
  bool acquires = false;  // the thread holds the object from here
  bool releases = false;
  bool timed = false;  // it could have ended by a timeout instead
  uint32_t peer = 0;   // as in Operation
  uint32_t value = 0;
  trace::EventKind event = trace::EventKind::kNone;
  uint64_t object = 0;
  uint64_t begin = 0;  // of the object's bytes
  uint64_t end = 0;
  uint64_t statement = 0;
};

using Effects = std::vector<Effect>;

Effect effect_of(const Operation& operation);

// Those of a step that can matter to another thread. A thread that has been notified does nothing to the
// condition any more when it goes on: that follows from how the step was chosen.
Effects effects_of(const std::vector<Operation>& operations, const Choice& chosen);

// Whether the operation can do more or less when it is executed at another time.
bool may_fail(const Effect& effect);

inline bool overlap(const Effect& a, const Effect& b) {
  return a.object == b.object && a.begin < b.end && b.begin < a.end;
}

inline bool depend(const Effect& a, const Effect& b) {
  if (a.kind == trace::OperationClass::kEverything || b.kind == trace::OperationClass::kEverything)
    return true;
  return overlap(a, b) && trace::classes_depend(a.kind, b.kind);
}

// Whether the order of two steps of different threads can matter.
bool depend(const Effects& a, const Effects& b);

}  // namespace heddle
