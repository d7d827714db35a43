#include "suite/case_list.h"

#include "suite/test_frameworks.h"
#include "support/process.h"

namespace heddle {
namespace {

// Listing cases is quick; a program that does something else instead is left whole.
constexpr std::chrono::seconds kListTimeout{20};

}  // namespace

std::vector<SuiteTest> cases_of(const SuiteTest& test) {
  const std::vector<std::string> arguments(test.command.argv.begin() + 1, test.command.argv.end());
  const TestFramework framework = framework_of(test.program, arguments);
  if (framework == TestFramework::kNone) return {test};
  ProcessRequest request;
  request.argv = {test.program};
  request.argv.insert(request.argv.end(), arguments.begin(), arguments.end());
  for (const std::string& word : list_arguments(framework)) request.argv.push_back(word);
  request.directory = test.command.directory;
  request.environment = test.command.environment;
  request.timeout = kListTimeout;
  const Expected<CapturedProcess> listed = capture_process(request);
  if (!listed || !has_listed(framework, listed->end)) return {test};
  std::vector<SuiteTest> cases;
  for (TestCase& one : parse_list(framework, listed->out)) {
    SuiteTest single = test;
    single.name = std::move(one.name);
    single.command.argv.insert(single.command.argv.end(), one.arguments.begin(), one.arguments.end());
    cases.push_back(std::move(single));
  }
  return cases.empty() ? std::vector<SuiteTest>{test} : cases;
}

}  // namespace heddle
