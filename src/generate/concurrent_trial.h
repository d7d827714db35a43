// ConcurrentTrial: executes one concurrent test in all the ways that may show something.
//
// It is recorded with one thread coming first and with the other, since predictions begin with what a
// recording shows. These are two of the orders in which its calls can be made one after the other, and all of
// them say what is right. Then whatever prediction makes of the recordings is executed; then come random
// schedules, under race detection. The first wrong execution ends the trial. The order is in try_plan().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "confirm/confirm.h"
#include "confirm/recording.h"
#include "generate/class_model.h"
#include "generate/driver_session.h"
#include "generate/requirements.h"
#include "generate/sequential_orders.h"
#include "generate/time_budget.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"
#include "trace/schedule.h"

namespace heddle::generate {

// What tells failures apart.
struct FailureName {
  trace::OutcomeKind kind = trace::OutcomeKind::kAtomicity;
  std::string identity;  // equal for the same failure of other tests
  std::string unit;      // of kAtomicity: what was torn; empty if that cannot be seen
  CallPlan plan;
};

// A wrong execution of a test.
struct TestFailure : FailureName {
  std::string message;  // in one sentence
  CallRun run;
  RightResults right;  // what should have come of it
  trace::Schedule schedule;
  Execution execution;  // with a trace of its own
};

struct TrialOptions {
  uint32_t random_executions = 40;
  uint32_t executions_without_news = 3;  // if prediction finds no requirement in it that is new
  uint64_t seed = 1;
  const TimeBudget* time = nullptr;  // none: as long as it takes
  bool predicts = true;
  bool both_ways = true;  // recorded
  bool repeats = false;   // also executes what another test has covered
};

struct TrialResult {
  std::string unusable;     // why nothing can be said of this test; empty if it can
  bool ends_never = false;  // it is that in no order all calls end
  std::optional<TestFailure> failure;
  uint64_t executions = 0;  // with threads
  uint32_t random_executions = 0;
  uint64_t found = 0;    // requirements that are new
  uint64_t covered = 0;  // for the first time
  RightResults right;
};

class ConcurrentTrial {
 public:
  // All must outlive this.
  ConcurrentTrial(DriverSession& session, const OperationTable& operations, const ClassModel& model,
                  Requirements& requirements, Symbolizer& symbolizer)
      : session_(session),
        operations_(operations),
        model_(model),
        requirements_(requirements),
        symbolizer_(symbolizer) {}

  // It is of no interest any more. `with_like`: nor are tests that have its calls among others and whose
  // failure says no more about its cause: wrong results, and crashes.
  void ignore(const FailureName& failure, bool with_like = true);

  Expected<TrialResult> try_plan(const CallPlan& plan, const TrialOptions& options);

 private:
  struct Attempt;
  struct Recorded {
    CallPlan plan;
    Recording recording;
    CallRun run;
  };
  Expected<std::vector<Recorded>> record(const CallPlan& plan, bool both_ways);
  Expected<Recorded> record(const CallPlan& plan);
  Expected<void> try_predictions(Attempt* attempt, const Recorded& recorded);
  Expected<void> try_reversed(Attempt* attempt, const Recorded& recorded);
  Expected<void> try_at_random(Attempt* attempt);
  Expected<bool> comes_of_turns(Attempt* attempt, const CallRun& run);
  Expected<bool> is_surely_wrong(Attempt* attempt, const CallRun& run);
  Expected<void> settle(Attempt* attempt, const trace::Schedule& schedule, const std::string& message);
  std::string methods_of(const CallPlan& plan) const;
  std::string name_of(OperationId operation) const;
  // By thread.
  using MethodSets = std::vector<std::multiset<uint32_t>>;
  MethodSets method_sets(const CallPlan& plan) const;
  bool has_told_method(const MethodSets& sets) const;
  bool is_ignored(const FailureName& failure) const;
  void name_atomicity(TestFailure* failure) const;
  Requirement requirement_of(const trace::Trace& trace, const Prediction& prediction);

  DriverSession& session_;
  const OperationTable& operations_;
  const ClassModel& model_;
  Requirements& requirements_;
  Symbolizer& symbolizer_;
  std::set<std::string> ignored_;  // identities and units
  std::vector<std::pair<trace::OutcomeKind, MethodSets>> ignored_calls_;
};

}  // namespace heddle::generate
