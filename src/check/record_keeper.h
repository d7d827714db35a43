// RecordKeeper: what trials of one build's tests have shown, kept in the history, and found there again.
//
// A trial that is known need not be made: that is how a check or a recording goes on after it was killed, and
// why a change costs only the tests whose programs it changes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "check/source_names.h"
#include "check/trial.h"
#include "history/history.h"
#include "history/program_content.h"
#include "suite/test_suite.h"
#include "symbolize/symbolizer.h"

namespace heddle {

class RecordKeeper {
 public:
  struct Build {
    TreeVersion tree;
    std::filesystem::path source;
    std::filesystem::path folder;
    // The folder of source and build together, if it is heddle's own: where that lies does not matter.
    std::filesystem::path home;
  };
  // The history and the symbolizer must outlive this.
  RecordKeeper(History& history, Build build, Symbolizer& symbolizer);

  // What is known of the test's program as it is now: a record that lasts; nothing if it has to run.
  Expected<std::optional<TestRecord>> find(const SuiteTest& test);
  // The result of a whole trial.
  Expected<std::optional<TrialMemory>> find_trial(const SuiteTest& test, uint64_t settings);

  // To be told of the first execution of the trial that will be kept.
  void observe(const FirstExecution& first);
  // Keeps the record of the trial just made, and the trial itself if all of it was made. Gives the record.
  Expected<TestRecord> keep(const SuiteTest& test, const Trial& trial, uint64_t settings);

 private:
  Expected<TestKey> key_of(const SuiteTest& test);

  History& history_;
  Build build_;
  Symbolizer& symbolizer_;
  SourceNames names_;
  ProgramContents contents_;
  std::optional<TestRecord> observed_;
  int exit_code_ = 0;  // of the execution that was observed
};

// What a trial's result depends on beside the test.
uint64_t settings_of(const TrialOptions& options, const Suppressions& suppressions);

}  // namespace heddle
