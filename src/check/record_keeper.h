// RecordKeeper: what trials of one build's tests have shown, kept in the history, and found there again.
//
// A trial that is known need not be made: that is how a check or a recording goes on after it was killed, and
// why a change costs only the tests whose programs it changes.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "change/revision.h"
#include "check/source_names.h"
#include "check/trial.h"
#include "history/history.h"
#include "history/program_content.h"
#include "suite/test_suite.h"
#include "symbolize/symbolizer.h"

namespace heddle {

// A working tree in which nothing differs from its commit is that commit: what is recorded there lasts.
inline TreeVersion tree_of(const Revision& revision) {
  return {revision.content, revision.commit, revision.is_working_tree && !revision.is_as_committed};
}

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

  // To be told of the first execution of each trial that will be kept, and of further ones.
  void observe(const SuiteTest& test, const ObservedExecution& first);
  // Keeps the record of a trial, and the trial itself if all of it was made. Gives the record.
  Expected<TestRecord> keep(const SuiteTest& test, const Trial& trial, uint64_t settings);

 private:
  Expected<TestKey> key_of(const SuiteTest& test);

  History& history_;
  Build build_;
  Symbolizer& symbolizer_;
  SourceNames names_;
  ProgramContents contents_;
  std::map<std::string, TestRecord> observed_;  // by test
};

// How a test is run: its arguments, environment and what its suite expects; the same wherever the build lies.
uint64_t command_key(const SuiteTest& test, const std::filesystem::path& source,
                     const std::filesystem::path& build);

// How a finding of a trial is remembered: what makes it the same as another, and how often it showed if that
// is part of it.
std::string remembered(const TrialFinding& found, const Trial& trial);
// Whether what is remembered of another trial is the same.
bool is_same(const TrialFinding& found, const Trial& trial, const std::string& remembered);

// What a trial's result depends on beside the test.
uint64_t settings_of(const TrialOptions& options, const Suppressions& suppressions);

}  // namespace heddle
