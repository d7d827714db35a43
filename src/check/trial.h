// Trial: one test of one build, executed a number of times under race detection.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/sameness.h"
#include "check/verification.h"
#include "execute/binary.h"
#include "execute/execution.h"
#include "execute/fork_server.h"
#include "report/finding.h"
#include "report/suppressions.h"
#include "suite/test_suite.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"

namespace heddle {

// An execution with coverage; valid only while it is told of. The first one is under the default schedule. A
// test with threads has a further one, in which they take turns: who gets which work of a queue, and whether
// somebody has to wait, is not the same under every schedule.
struct ObservedExecution {
  const Execution& execution;
  std::chrono::nanoseconds duration;
  const BinaryInfo& binary;
  bool is_further = false;
};

// With what a report and a replay need, if that was wanted.
struct TrialFinding {
  Finding finding;
  bool has_example = false;  // schedule and execution are there
  trace::Schedule schedule;
  Execution execution;  // with a trace of its own
  FailureWords words;   // the test's own, if only it can explain the failure
  std::string sameness;
  uint64_t occurrences = 0;     // executions that showed it
  uint64_t last_execution = 0;  // that did

  // Whether `rate` is part of what tells it apart: nothing but an exit code does.
  bool is_known_by_rate() const { return finding.kind == "exit-code" && words.assertion.empty(); }
};

struct TrialOptions {
  uint64_t seeds = 20;  // schedules beside the default one
  // false: once, without looking for races or switching threads at memory accesses; what costs least.
  bool detects = true;
  // Also executes what detectors suspect.
  bool verifies = false;
  uint32_t quiet_executions = 8;                          // of learning
  RenamedFunctions renamed;                               // since the version that is tried
  std::function<void(const ObservedExecution&)> observe;  // may be empty
  // Whether an execution that shows this is to be kept, and its schedule; may be empty: always. Traces are
  // large, and many tests of a suite show the same.
  std::function<bool(const TrialFinding&)> wants_example;
  std::chrono::milliseconds test_timeout{60'000};
};

struct Trial {
  std::vector<TrialFinding> findings;  // none the same as another
  uint64_t executions = 0;
  uint64_t learning_executions = 0;
  uint64_t verifying_executions = 0;
  uint64_t suppressed = 0;  // executions that failed with nothing but suppressed findings
  double seconds = 0;
  bool complete = false;  // all schedules were executed, and all suspicions, if they are to be
  std::string trouble;    // why heddle could not see it to its end; empty if it could
};

// A trial in parts: those of many tests can take turns, so that none has to wait for the end of another.
class TestTrial {
 public:
  // All but the options must outlive this.
  TestTrial(const SuiteTest& test, TrialOptions options, Suppressions& suppressions, Symbolizer& symbolizer);

  // Executes the default schedule, what is suspected then, and the schedules of the first `seeds` seeds, as
  // far as that has not been done. Stops when heddle is interrupted, and before what would begin after the
  // deadline, but for the default schedule. Trouble
  // with the test is in the trial; an error means that nothing can be tried at all.
  Expected<void> run_to(uint64_t seeds, std::chrono::steady_clock::time_point deadline);

  // Called after each execution.
  void when_executed(std::function<void()> function) { executed_ = std::move(function); }

  // Nothing more will come of it: all was executed, or heddle lost sight of the test.
  bool is_over() const { return trial_.complete || !trial_.trouble.empty(); }
  bool has_begun() const { return trial_.executions > 0; }
  const Trial& result() const { return trial_; }
  Trial take() { return std::move(trial_); }

 private:
  Expected<ForkServer> start();
  Expected<void> execute_first(ForkServer& server);
  void observe_further(ForkServer& server);
  Expected<void> execute_plainly(ForkServer& server);
  Expected<void> verify(std::chrono::steady_clock::time_point deadline);
  Expected<void> execute_shown(ForkServer& server, const trace::Schedule& schedule, uint32_t flags,
                               Confirmation confirmation);
  void look_at(const ForkServer& server, const ExecutionRequest& request, const Execution& execution,
               Confirmation confirmation = Confirmation::kExecuted);
  bool is_known(const Finding& finding) const;
  void keep_example(TrialFinding* found, const ForkServer& server, const ExecutionRequest& request,
                    const Execution& execution);
  void add(const Finding& finding, const ForkServer& server, const ExecutionRequest& request,
           const Execution& execution);

  const SuiteTest& test_;
  const TrialOptions options_;
  Suppressions& suppressions_;
  Symbolizer& symbolizer_;
  ExecutionRequest request_;
  std::vector<trace::PointRecord> points_;  // learned
  std::map<std::string, size_t> known_;     // findings by sameness
  uint64_t seeds_done_ = 0;
  bool has_threads_ = false;
  std::unique_ptr<Verification> verification_;
  std::function<void()> executed_;
  std::optional<trace::Trace> copy_;  // of the trace that is looked at, once it is needed
  Trial trial_;
};

// All of it at once. A test that fails without any race is told as it fails.
Expected<Trial> try_test(const SuiteTest& test, const TrialOptions& options, Suppressions& suppressions,
                         Symbolizer& symbolizer);

}  // namespace heddle
