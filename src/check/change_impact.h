// The pipeline behind `heddle impact`: a test executed on both builds of a change under the same schedule,
// and the events of the head's execution that can interleave in new ways. Here are the builds; ComparedTest
// has the executions.
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

// An execution of a test of one build.
struct VersionOfTest {
  std::shared_ptr<ForkServer> server;  // none: the version does not have the test
  Recording recording;
  bool is_output_right = true;           // what it prints can be no harm
  std::optional<Divergence> divergence;  // if it was executed again, and did something else
  std::unique_ptr<TraceSymbols> symbols;
  VersionNames names;
};

// A test of both builds, executed under one schedule.
struct TestImpact {
  trace::PolicySpec policy;
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

  // Whether only the base has a test of this name.
  bool is_gone(const std::string& name) const;

  StatementsOfBoth statements() const;
  // What the map of statements calls the files of each.
  NameOfFile base_files() const;
  NameOfFile head_files() const;
  std::chrono::milliseconds timeout_of(const SuiteTest& test) const;

 private:
  ChangeImpact() = default;

  Project project_;
  SourceChange change_;
  ProjectBuild base_build_;
  ProjectBuild head_build_;
  TestSuite base_suite_;
  TestSuite head_suite_;
};

}  // namespace heddle
