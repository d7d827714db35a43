// Trial: one test of one build, executed a number of times under race detection.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "execute/binary.h"
#include "execute/execution.h"
#include "report/finding.h"
#include "report/suppressions.h"
#include "suite/test_suite.h"
#include "support/error.h"
#include "symbolize/symbolizer.h"

namespace heddle {

// The execution under the default schedule, with coverage; valid only while it is told of.
struct FirstExecution {
  const Execution& execution;
  std::chrono::nanoseconds duration;
  const BinaryInfo& binary;
};

struct TrialOptions {
  uint64_t seeds = 20;                                 // schedules beside the default one
  uint32_t quiet_executions = 8;                       // of learning
  std::function<void(const FirstExecution&)> observe;  // may be empty
  std::chrono::milliseconds test_timeout{60'000};
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
};

// With what a report and a replay need.
struct TrialFinding {
  Finding finding;
  trace::Schedule schedule;
  Execution execution;  // with a trace of its own
};

struct Trial {
  std::vector<TrialFinding> findings;  // each fingerprint once
  uint64_t executions = 0;
  uint64_t learning_executions = 0;
  uint64_t suppressed = 0;  // executions that failed with nothing but suppressed findings
  double seconds = 0;
  bool complete = false;  // all schedules were executed
  std::string trouble;    // why heddle could not see it to its end; empty if it could
};

// A test that fails without any race is told as it fails. Trouble with the test is in the trial; an error
// means that nothing can be tried at all.
Expected<Trial> try_test(const SuiteTest& test, const TrialOptions& options, Suppressions& suppressions,
                         Symbolizer& symbolizer);

}  // namespace heddle
