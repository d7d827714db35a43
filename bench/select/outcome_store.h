// Outcomes of a build's tests, kept in a file: executing them takes minutes, and they stay true.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "change/project_build.h"
#include "outcome.h"
#include "suite/test_suite.h"
#include "support/error.h"

namespace heddle::bench {

// number, of how many; called before each execution of a test
using OutcomeListener = std::function<void(size_t, size_t)>;

// Executes those that the file does not know. Each outcome is written as soon as it is there, so that one who
// was interrupted goes on where he was. A file about another build or plan is begun anew.
Expected<TestOutcomes> outcomes_of(const ProjectBuild& build, const std::vector<const SuiteTest*>& tests,
                                   const TrialPlan& plan, const std::filesystem::path& file,
                                   const OutcomeListener& listener = {});

// One line of such a file; the second is nothing for a line that was cut off.
std::string to_line(const TestOutcome& outcome);
std::optional<TestOutcome> from_line(const std::string& line);

}  // namespace heddle::bench
