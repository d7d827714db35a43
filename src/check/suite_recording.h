// The pipeline behind `heddle record`: every test of a build executed once, under control, and what it did
// kept in the history.
//
//   build ─▶ its tests ─▶ those whose program or command is new ─▶ one execution each ─▶ records
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "change/project.h"
#include "check/record_keeper.h"
#include "history/history.h"
#include "suite/test_suite.h"
#include "support/error.h"

namespace heddle {

struct SuiteRecordingOptions {
  std::string tests;  // regular expression on their names; empty: all
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  std::set<std::string> known;       // names of tests that need no recording
  bool again = false;                // also those that are up to date
  std::vector<std::string> sources;  // of a user's build: the project's files, below its source folder
};

struct RecordedTest {
  std::string name;
  std::string outcome;
  std::string message;
  std::vector<Finding> findings;
  bool was_up_to_date = false;
  std::string trouble;  // why heddle could not see it to its end
};

struct SuiteRecording {
  std::vector<RecordedTest> tests;
  std::vector<std::string> not_reached;  // for lack of time
  std::vector<UnusableTest> unusable;
  bool interrupted = false;  // by the user
  size_t up_to_date = 0;
  bool sources_are_newer = false;  // than the user's build: what it was built of is not known
  uint64_t executions = 0;
  uint64_t learning_executions = 0;

  bool complete() const;
};

using SuiteRecordingListener =
    std::function<void(size_t, size_t, const std::string&)>;  // number, of how many, name

// A test that fails, hangs or cannot be started is recorded as that, and the next one follows. If the history
// cannot be written that is an error, and what was kept before stays.
Expected<SuiteRecording> record_tests(const Project& project, const RecordKeeper::Build& build,
                                      const SuiteRecordingOptions& options, History& history,
                                      Suppressions& suppressions, const SuiteRecordingListener& listener);

}  // namespace heddle
