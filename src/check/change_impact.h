// The pipeline behind `heddle impact`: a test executed on both builds of a change under the same schedule,
// and the events of the head's execution that can interleave in new ways.
//
//   revisions ─▶ builds ─▶ the test in both ─▶ traces ─▶ find_impact
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "change/project_build.h"
#include "change/source_change.h"
#include "check/repetition.h"
#include "confirm/recording.h"
#include "impact/impact.h"
#include "impact/version_names.h"
#include "suite/test_suite.h"
#include "support/error.h"
#include "symbolize/trace_symbols.h"

namespace heddle {

struct ChangeImpactOptions {
  std::filesystem::path store;                   // heddle's own folder
  std::filesystem::path compilers;               // folder with heddle-cc and heddle-c++
  std::function<void(const std::string&)> step;  // something long begins; may be empty
};

// A test of the head with the same test of the base.
struct TestOfBoth {
  const SuiteTest* base = nullptr;  // null: it is new
  const SuiteTest* head = nullptr;
};

// A test of one build, executed once, and again to see whether it does the same.
struct VersionOfTest {
  std::optional<ForkServer> server;  // none: the version does not have the test
  Recording recording;
  std::optional<Divergence> divergence;
  std::unique_ptr<TraceSymbols> symbols;
  VersionNames names;

  // That it took to come here.
  uint64_t executions() const { return server ? recording.learning.executions + 2 : 0; }
};

struct TestImpact {
  VersionOfTest base;
  VersionOfTest head;
  Impact impact;
};

// What statements are called that correspond.
struct StatementsOfBoth {
  NameOfStatement base;
  NameOfStatement head;
};

class ChangeImpact {
 public:
  // Builds what is not built yet.
  static Expected<ChangeImpact> prepare(const Repository& repository, const Project& project,
                                        const RevisionPair& revisions, const ChangeImpactOptions& options);

  const SourceChange& change() const { return change_; }
  const ProjectBuild& base_build() const { return base_build_; }
  const ProjectBuild& head_build() const { return head_build_; }
  const TestSuite& suite() const { return head_suite_; }

  // By its name in the head, or in the base if only that has it; an error if neither has.
  Expected<TestOfBoth> find(const std::string& name) const;

  StatementsOfBoth statements() const;

  // Under the default schedule. Of a test that only the head has, everything is new: its base is an execution
  // in which nothing happened.
  Expected<std::unique_ptr<TestImpact>> look_at(const TestOfBoth& test, Symbolizer& symbolizer) const;

 private:
  ChangeImpact() = default;
  Expected<VersionOfTest> execute(const SuiteTest& test) const;

  Project project_;
  SourceChange change_;
  ProjectBuild base_build_;
  ProjectBuild head_build_;
  TestSuite base_suite_;
  TestSuite head_suite_;
};

}  // namespace heddle
