// Workbench: one subject, ready to be measured. Its repository, its builds, what is recorded of its base and
// what its base's tests show.
//
//   WORK/SUBJECT/repository   the commits
//   WORK/SUBJECT/store        heddle's own folder: builds, facts, history
//   WORK/SUBJECT/outcomes     what tests showed, a file for each revision
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "change/project_build.h"
#include "check/check.h"
#include "check/test_selection.h"
#include "common/subject.h"
#include "history/history.h"
#include "outcome.h"

namespace heddle::bench {

struct WorkOptions {
  std::filesystem::path work;
  std::filesystem::path compilers;  // folder with heddle-cc and heddle-c++
  uint64_t seeds = 3;
};

class Workbench {
 public:
  // Builds the base, records each of its tests as `heddle record` does, and executes each with all schedules.
  static Expected<Workbench> prepare(const Subject& subject, const WorkOptions& options);

  const Subject& subject() const { return subject_; }
  SubjectRepository& repository() { return repository_; }
  const Revision& base() const { return base_; }
  const std::filesystem::path& folder() const { return folder_; }
  const TestOutcomes& base_outcomes() const { return base_outcomes_; }
  // What the history knows of the base's tests.
  Expected<std::vector<KnownTest>> records();
  const ProjectBuild& base_build() const { return base_build_; }
  Expected<program::Program> base_program() const;

  Expected<ProjectBuild> build(const Revision& revision, BuildFailure* failure = nullptr);
  Expected<TestSuite> tests_of(const ProjectBuild& build) const;
  // With an empty cache the first time: then what it says about its time is not what a user sees.
  Expected<TestSelection> select(const Revision& head, const select::SelectOptions& options);
  // The tests of a build with these names, or all, under all schedules.
  Expected<TestOutcomes> execute(const ProjectBuild& build, const TestSuite& suite,
                                 const std::set<std::string>* names, const std::string& name);
  // CPU-seconds of all tests of a revision, under as many schedules as `heddle test` tries unless told
  // otherwise. Every tenth test stands for ten. What `heddle test` does beyond, verification, is not in it.
  Expected<double> testing_time(const Revision& revision, const std::string& name);

  // Races that do not show in the base.
  std::set<Race> regressions(const TestOutcomes& outcomes) const;
  std::set<std::string> new_failures(const TestOutcome& outcome) const;

  void say(const std::string& text) const;

 private:
  Workbench(Subject subject, WorkOptions options, SubjectRepository repository, History history);
  Expected<void> record_base();
  // `told`: what they are, to whoever waits.
  Expected<TestOutcomes> execute(const ProjectBuild& build, const std::vector<const SuiteTest*>& tests,
                                 const TrialPlan& plan, const std::string& name, const std::string& told);

  Subject subject_;
  WorkOptions options_;
  std::filesystem::path folder_;
  SubjectRepository repository_;
  std::unique_ptr<History> history_;
  Project project_;
  Revision base_;
  ProjectBuild base_build_;
  TestOutcomes base_outcomes_;
  std::set<std::string> base_races_;  // by functions
};

}  // namespace heddle::bench
