#include "suite/runner_arguments.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "execute/shell_words.h"
#include "suite/test_frameworks.h"

namespace heddle {
namespace {

constexpr std::string_view kFilter = "--gtest_filter=";

// CMake's expressions (KWSys) are compiled to nodes of three bytes and, for texts, the text and a zero. More
// than this is refused, and then ctest finds no test and ends well. Newer versions take twice as much.
constexpr size_t kMostCompiled = 32'000;
constexpr size_t kNode = 3;
constexpr std::string_view kSpecial = "^$.[()|?+*\\";

struct Alternative {
  std::string pattern;
  size_t compiled = kNode;  // bytes
};

Alternative alternative_of(const std::string& name) {
  Alternative result;
  bool in_text = false;
  for (const char c : name) {
    const bool is_special = kSpecial.find(c) != std::string_view::npos;
    if (is_special) result.pattern += '\\';
    result.pattern += c;
    // Each special character is a text of its own.
    if (is_special || !in_text) result.compiled += kNode + 1;
    ++result.compiled;
    in_text = !is_special;
  }
  return result;
}

// The words of a GoogleTest command without the filter, and the filter.
struct FilteredCommand {
  std::vector<std::string> words;
  std::string filter;
};

FilteredCommand filtered_command(const SuiteTest& test, const std::string& build) {
  FilteredCommand command;
  for (const std::string& word : test.command.argv) {
    // Of several, GoogleTest takes the last.
    if (word.starts_with(kFilter))
      command.filter = word.substr(kFilter.size());
    else
      command.words.push_back(word.starts_with(build) ? word.substr(build.size()) : word);
  }
  // A shell looks for a bare name elsewhere.
  if (command.words[0].find('/') == std::string::npos) command.words[0].insert(0, "./");
  return command;
}

}  // namespace

RunnerArguments ctest_names(const std::vector<const SuiteTest*>& tests) {
  RunnerArguments result;
  std::set<std::string> known;
  for (const SuiteTest* test : tests) {
    if (test->ctest_name.empty())
      result.inexpressible.push_back(test->name);
    else if (known.insert(test->ctest_name).second)
      result.lines.push_back(test->ctest_name);
  }
  return result;
}

std::vector<std::string> ctest_patterns(const std::vector<std::string>& names) {
  if (names.empty()) return {"^$"};
  std::vector<std::string> patterns;
  size_t compiled = 0;
  for (const std::string& name : names) {
    const Alternative next = alternative_of(name);
    if (patterns.empty() || compiled + next.compiled > kMostCompiled) {
      patterns.emplace_back("^(");
      compiled = 7 * kNode;  // what stands around the alternatives
    } else {
      patterns.back() += '|';
    }
    patterns.back() += next.pattern;
    compiled += next.compiled;
  }
  for (std::string& pattern : patterns) pattern += ")$";
  return patterns;
}

RunnerArguments gtest_commands(const std::vector<const SuiteTest*>& tests,
                               const std::filesystem::path& build) {
  RunnerArguments result;
  std::vector<FilteredCommand> programs;
  std::map<std::vector<std::string>, size_t> by_words;
  for (const SuiteTest* test : tests) {
    FilteredCommand command = filtered_command(*test, build.string() + "/");
    const bool is_case = !command.filter.empty();
    if (!is_case && framework_of(test->program, {}) != TestFramework::kGoogleTest) {
      result.inexpressible.push_back(test->name);
      continue;
    }
    // What is taken out of one filter would be taken out of the other cases, too.
    const bool joins = is_case && command.filter.find('-') == std::string::npos;
    const auto [entry, is_new] =
        joins ? by_words.try_emplace(command.words, programs.size()) : std::pair(by_words.end(), true);
    if (is_new)
      programs.push_back(std::move(command));
    else
      programs[entry->second].filter += ":" + command.filter;
  }
  for (FilteredCommand& program : programs) {
    if (!program.filter.empty()) program.words.push_back(std::string(kFilter) + program.filter);
    result.lines.push_back(shell_line(program.words));
  }
  return result;
}

}  // namespace heddle
