// The pipeline behind `heddle select`: a change, compiled and compared, and the tests that matter for it.
//
//   revisions ─▶ builds ─▶ programs of both ─▶ select_tests, with the history of the base
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "change/project_build.h"
#include "change/source_change.h"
#include "history/history.h"
#include "program/program.h"
#include "select/select.h"
#include "suite/test_suite.h"
#include "support/error.h"

namespace heddle {

struct TestSelectionOptions {
  std::filesystem::path store;                   // heddle's own folder
  std::filesystem::path compilers;               // folder with heddle-cc and heddle-c++
  std::function<void(const std::string&)> step;  // something long begins; may be empty
  select::SelectOptions select;
};

struct TestSelection {
  ProjectBuild base_build;
  ProjectBuild head_build;
  SourceChange change;
  TestSuite suite;  // of the head
  select::Selection selection;
  // Not selected, but they came to code that the change touches: ordinary faults may show there. In order.
  std::vector<std::string> reach_change;
  std::vector<std::string> gone;  // recorded on the base, and the head has them no more
  bool is_empty_change = false;   // nothing that is compiled means anything else
  size_t recorded_on_base = 0;    // tests
  size_t carried_to_base = 0;     // among them: recorded on other revisions, where they do the same
  double analysis_cpu_seconds = 0;
};

// Builds what is not built yet. Nothing is executed.
Expected<TestSelection> select_for_change(const Repository& repository, const Project& project,
                                          const RevisionPair& revisions, History& history,
                                          const TestSelectionOptions& options);

}  // namespace heddle
