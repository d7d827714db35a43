// Confirmer: executes what was only predicted, and says what came of it.
//
// A prediction is confirmed by an execution that does what it says: its two accesses come one right after the
// other, the accesses of its pattern in their order, its threads wait for each other. The witness is executed
// as a schedule. If the program does something else on the way, races and deadlocks are tried once more by
// letting threads wait for each other at the sites in question (policy `meet`). What was executed is
// *harmful* if its judge objects (judge.h; that of a test, reference.h, to a failure or an output that no
// execution without preemption has), else *benign*. A race is executed in both orders before it is called
// benign.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "confirm/directed_schedule.h"
#include "confirm/judge.h"
#include "confirm/recording.h"
#include "explore/place.h"
#include "predict/prediction.h"

namespace heddle {

enum class Confirmed { kHarmful, kBenign, kNotReproduced };

struct Verdict {
  Confirmed confirmed = Confirmed::kNotReproduced;
  std::string why;          // "assertion: …"; or where the witness could not be followed
  uint64_t executions = 0;  // that it took
  // Of the execution that shows it; meaningless if it was not reproduced.
  trace::Schedule schedule;
  Execution execution;  // with a trace of its own
  // Of that trace: those in question, in their order. The last one is missing if the program failed before.
  std::vector<uint64_t> events;
};

// Two sites that may race, or those of a deadlock's acquisitions.
struct Suspicion {
  std::vector<uint32_t> sites;  // of the recording's trace
  bool is_deadlock = false;
};

class Confirmer {
 public:
  // All that is given must outlive this. The server's points are those of the recording.
  Confirmer(ForkServer& server, const Recording& recording, const Judge& judge);

  Expected<Verdict> confirm(const Prediction& prediction);
  // As RaceFuzzer does it.
  Expected<Verdict> verify(const Suspicion& suspicion);

 private:
  using Found = std::optional<std::vector<uint64_t>>;  // the events in question, if they were executed
  using Look = std::function<Found(const trace::Trace&)>;
  using Shown = std::optional<std::string>;  // what an execution printed that had the events in question

  Expected<Shown> try_order(const Prediction& prediction, const std::vector<uint64_t>& order,
                            Verdict* verdict);
  Expected<Shown> try_meeting(const Suspicion& suspicion, trace::PolicySpec policy, Verdict* verdict);
  Expected<Shown> attempt(ExecutionRequest request, const Look& look, Verdict* verdict);
  // Makes the schedule of what was executed one that shows it again: by a race that is detected, or by what
  // the test prints.
  Expected<void> make_replayable(bool is_race, Verdict* verdict);
  Expected<Verdict> meet(const Suspicion& suspicion);
  Suspicion suspicion_of(const Prediction& prediction) const;
  Found find_accesses(const trace::Trace& trace, const Prediction& prediction,
                      const std::vector<uint64_t>& choices) const;
  Found find_deadlock(const trace::Trace& trace, const Suspicion& suspicion) const;
  Found find_meeting(const trace::Trace& trace, const Suspicion& suspicion) const;
  // The sites of a suspicion by the keys that mean the same in every execution.
  std::vector<uint64_t> keys_of(const Suspicion& suspicion) const;

  ForkServer& server_;
  const Recording& recording_;
  const Judge& judge_;
  ScheduleMaker maker_;
  PlaceNames places_;  // in the recording's trace
};

}  // namespace heddle
