#include "suite/test_suite.h"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "execute/binary.h"
#include "execute/runtime_location.h"
#include "execute/shell_words.h"
#include "suite/case_list.h"
#include "suite/ctest_list.h"
#include "support/process.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

Expected<TestSuite> tests_of_ctest(const fs::path& build) {
  const Expected<CapturedProcess> listed =
      capture_process({.argv = {"ctest", "--show-only=json-v1"}, .directory = build.string()});
  if (!listed) return tl::unexpected(listed.error());
  if (!listed->end.ok())
    return usage_error(
        fmt::format("ctest --show-only=json-v1 in {} ended with {}", build.string(), to_text(listed->end)));
  return parse_ctest_list(listed->out, build.string());
}

Expected<TestSuite> tests_of_list(const Project& project, const fs::path& source, const fs::path& build) {
  TestSuite suite;
  for (const std::string& line : project.test_commands) {
    SuiteTest test;
    test.name = line;
    test.command.argv = split_words(line);
    test.command.directory = (project.build_commands.empty() ? build : source).string();
    test.command.environment = {{"HEDDLE_BUILD_DIR", build.string()}, {"HEDDLE_SOURCE_DIR", source.string()}};
    if (test.command.argv.empty()) return usage_error("heddle.toml: an empty command in the list of tests");
    suite.tests.push_back(std::move(test));
  }
  return suite;
}

// What CTest runs under heddle anyway (heddle_add_test(), heddle_discover_tests()) is the test behind the
// `--`: which schedules it gets is for the command to say that asks for the tests.
void unwrap(SuiteTest* test) {
  std::vector<std::string>& words = test->command.argv;
  if (words.size() < 2 || fs::path(words[0]).filename() != "heddle") return;
  if (words[1] != "run" && words[1] != "explore") return;
  const auto separator = std::find(words.begin(), words.end(), "--");
  if (separator == words.end() || separator + 1 == words.end()) return;
  words.erase(words.begin(), separator + 1);
}

// Why the program cannot be a test, or nothing; fills in `program`.
std::string find_program(SuiteTest* test) {
  const Expected<std::string> program = resolve_program(test->command);
  if (!program) return program.error().message;
  const Expected<BinaryInfo> binary = inspect_binary(*program);
  if (!binary) return binary.error().message;
  test->program = binary->path;
  if (const Expected<void> runnable = check_runnable(*binary); !runnable) return runnable.error().message;
  return "";
}

// "binary:Suite.Case" where two programs have a case of that name.
void tell_apart(std::vector<SuiteTest>* tests) {
  std::map<std::string, std::set<std::string>> programs;
  for (const SuiteTest& test : *tests) programs[test.name].insert(test.program);
  std::map<std::string, int> count;
  for (SuiteTest& test : *tests) {
    test.case_name = test.name;
    if (programs[test.name].size() > 1)
      test.name = fs::path(test.program).filename().string() + ":" + test.name;
    // The same case with other arguments.
    if (const int n = ++count[test.name]; n > 1) test.name += fmt::format("#{}", n);
  }
}

Expected<bool> matches_any(const std::vector<std::string>& patterns, const std::string& name) {
  for (const std::string& pattern : patterns) {
    try {
      if (std::regex_search(name, std::regex(pattern))) return true;
    } catch (const std::regex_error&) {
      return usage_error(fmt::format("'{}' is not a regular expression for test names", pattern));
    }
  }
  return false;
}

}  // namespace

const SuiteTest* TestSuite::find(const std::string& name) const {
  const auto found =
      std::lower_bound(tests.begin(), tests.end(), name,
                       [](const SuiteTest& test, const std::string& n) { return test.name < n; });
  return found != tests.end() && found->name == name ? &*found : nullptr;
}

const SuiteTest* TestSuite::find_same(const SuiteTest& test) const {
  if (const SuiteTest* named = find(test.name)) return named;
  const auto file_name = [](const SuiteTest& of) { return fs::path(of.program).filename(); };
  const SuiteTest* same = nullptr;
  for (const SuiteTest& other : tests) {
    if (other.case_name != test.case_name || file_name(other) != file_name(test)) continue;
    if (same != nullptr) return nullptr;  // which of them cannot be told
    same = &other;
  }
  return same;
}

Expected<TestSuite> discover_tests(const Project& project, const fs::path& source, const fs::path& build) {
  Expected<TestSuite> named =
      project.test_commands.empty() ? tests_of_ctest(build) : tests_of_list(project, source, build);
  if (!named) return named;
  TestSuite suite;
  suite.unusable = std::move(named->unusable);
  for (SuiteTest& test : named->tests) {
    unwrap(&test);
    if (std::string why = find_program(&test); !why.empty()) {
      suite.unusable.push_back({test.name, std::move(why)});
      continue;
    }
    for (SuiteTest& one : project.split_cases ? cases_of(test) : std::vector<SuiteTest>{test})
      suite.tests.push_back(std::move(one));
  }
  tell_apart(&suite.tests);
  std::vector<SuiteTest> wanted;
  for (SuiteTest& test : suite.tests) {
    const Expected<bool> included = matches_any(project.include, test.name);
    if (!included) return tl::unexpected(included.error());
    const Expected<bool> excluded = matches_any(project.exclude, test.name);
    if (!excluded) return tl::unexpected(excluded.error());
    if ((project.include.empty() || *included) && !*excluded) wanted.push_back(std::move(test));
  }
  suite.tests = std::move(wanted);
  std::sort(suite.tests.begin(), suite.tests.end(),
            [](const SuiteTest& a, const SuiteTest& b) { return a.name < b.name; });
  if (!suite.tests.empty()) return suite;
  if (!suite.unusable.empty()) {
    return usage_error(fmt::format("none of the {} tests can be run under heddle; {}: {}",
                                   suite.unusable.size(), suite.unusable.front().name,
                                   suite.unusable.front().why));
  }
  return usage_error(project.test_commands.empty()
                         ? "CTest knows no test of this build; enable_testing() and add_test(), or a list of "
                           "commands in heddle.toml ([tests] commands), tell heddle what to run"
                         : "no test is left after [tests] include and exclude of heddle.toml");
}

}  // namespace heddle
