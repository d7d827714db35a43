// Generator: finds the thread-safety bugs of a class by making up concurrent tests (AutoConTest).
//
// The sequential search grows call sequences; what their calls do alone says which of them could disturb each
// other; those tests are executed, the most promising first, and a failing one is made as small as possible.
// A few tests of any other calls fill in what the estimate does not see. Tests without news are executed a
// few times only, and again later. All these take turns, by numbers and not by time, so that a seed always
// gives the same tests. The loop is run().
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "generate/class_model.h"
#include "generate/concurrent_trial.h"
#include "generate/driver_session.h"
#include "generate/filling_tests.h"
#include "generate/requirements.h"
#include "generate/sequence_search.h"
#include "generate/test_queue.h"
#include "generate/time_budget.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"

namespace heddle::generate {

struct GeneratorOptions {
  std::chrono::milliseconds budget{60'000};
  TimeBudget::Clock clock = TimeBudget::wall_clock;  // that the budget goes by
  uint64_t seed = 1;
  uint32_t threads = 2;
  uint32_t random_executions = 40;  // of each test that has news
  size_t most_failures = 10;
  bool reduces = true;
  SearchOptions search;
};

struct GeneratorStatus {
  SearchCounts search;
  Requirements::Counts requirements;
  uint64_t tests = 0;  // executed
  uint64_t executions = 0;
  uint64_t failures = 0;
  double seconds = 0;
};

// A test that covers something no test before it did.
struct CoveringTest {
  CallPlan plan;
  uint64_t covered = 0;
  RightResults right;
};

struct FoundFailure {
  TestFailure failure;
  uint64_t tests = 0;  // executed until it was found, and …
  uint64_t executions = 0;
  double seconds = 0;
};

class GeneratorListener {
 public:
  virtual ~GeneratorListener() = default;
  virtual void on_progress(const GeneratorStatus& status) = 0;
  // False: it is of no interest, and does not count.
  virtual Expected<bool> on_failure(const FoundFailure& found) = 0;
};

struct GeneratorResult {
  GeneratorStatus status;
  std::vector<CoveringTest> suite;
  bool complete = false;  // no test was left that promised anything
};

class Generator {
 public:
  // All must outlive this.
  Generator(DriverSession& session, const ClassModel& model, const OperationTable& operations,
            Symbolizer& symbolizer, GeneratorOptions options, GeneratorListener& listener);

  Expected<GeneratorResult> run();

  const Requirements& requirements() const { return requirements_; }
  std::vector<Unusable> unusable() const { return search_.unusable(); }
  // Methods of whose results nothing is known but that they are there: they cannot be compared.
  std::set<uint32_t> opaque_methods() const;

 private:
  Error no_object() const;
  bool is_over() const;
  Expected<bool> grow();             // false: the tree has been explored
  Expected<bool> execute(bool all);  // false: no test is left
  Expected<bool> fill();             // false: these find nothing any more
  Expected<bool> deepen(bool all);   // false: all tests have been executed as often as they should
  Expected<void> try_chosen(const CallPlan& plan);
  // False: in no order do all calls of it end.
  Expected<bool> try_test(const CallPlan& plan, const TrialOptions& options);
  Expected<bool> try_plan(const CallPlan& plan, const TrialOptions& options);
  Expected<TrialResult> try_once(const CallPlan& plan, const TrialOptions& options);
  TrialOptions trial_options() const;
  Expected<void> look_into(TestFailure failure);
  GeneratorStatus status() const;

  DriverSession& session_;
  const OperationTable& operations_;
  const GeneratorOptions options_;
  GeneratorListener& listener_;
  const TimeBudget time_{options_.budget, options_.clock};
  Requirements requirements_;
  SequenceSearch search_;
  TestQueue queue_;
  FillingTests filling_;
  ConcurrentTrial trial_;
  std::vector<OperationId> observers_;  // called when the threads have ended
  GeneratorResult result_;
  uint64_t executions_ = 0;
  uint64_t failures_ = 0;
  uint64_t barren_ = 0;           // filling tests since the last one that found or covered a requirement
  std::deque<CallPlan> shallow_;  // tests that were executed only a few times
};

}  // namespace heddle::generate
