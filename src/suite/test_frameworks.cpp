#include "suite/test_frameworks.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

namespace heddle {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// As GoogleTest makes it of identifiers and numbers.
bool is_google_test_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '/' || c >= 0x80;
  });
}

// "Suite.", then its cases, indented; parameters follow as comments.
std::vector<TestCase> parse_google_test(std::string_view printed) {
  std::vector<TestCase> cases;
  std::string suite;
  for (std::string_view line : lines_of(printed)) {
    const bool is_case = line.starts_with("  ");
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    if (!is_case) {
      // Before the list, main() may print whatever it likes.
      suite = line.ends_with('.') && is_google_test_name(line.substr(0, line.size() - 1)) ? line : "";
      continue;
    }
    const std::string name = suite + std::string(line);
    if (suite.empty() || !is_google_test_name(line) || name.find("DISABLED_") != std::string::npos) continue;
    cases.push_back({name, {"--gtest_filter=" + name}});
  }
  return cases;
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

// One name a line. Version 2 quotes names that begin like a comment.
std::vector<TestCase> parse_catch2(std::string_view printed) {
  std::vector<TestCase> cases;
  for (const std::string_view line : lines_of(printed)) {
    std::string_view name = trimmed(line);
    if (name.starts_with("\"#") && name.ends_with('"')) name = name.substr(1, name.size() - 2);
    if (!name.empty()) cases.push_back({std::string(name), {escaped(name, "\\,[]*\"~")}});
  }
  return cases;
}

// Names between two lines of '='.
std::vector<TestCase> parse_doctest(std::string_view printed) {
  std::vector<TestCase> cases;
  int rulers = 0;
  for (const std::string_view line : lines_of(printed)) {
    if (line.starts_with("=====")) {
      ++rulers;
    } else if (rulers == 1 && !line.empty()) {
      cases.push_back({std::string(line), {"--test-case=" + escaped(line, "\\,*")}});
    }
  }
  return cases;
}

}  // namespace

TestFramework framework_of(const std::string& program, const std::vector<std::string>& arguments) {
  const bool has_chosen = std::any_of(arguments.begin(), arguments.end(), [](const std::string& word) {
    return word.starts_with("--gtest_") || word.starts_with("--test-case") || word.starts_with("-tc=");
  });
  if (has_chosen) return TestFramework::kNone;
  std::ifstream file(program, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto mentions = [&](std::string_view text) { return content.find(text) != std::string::npos; };
  // The first is in the program even if the library is shared.
  if (mentions("_ZN7testing14InitGoogleTest") || mentions("libgtest_main.so") || mentions("gtest_list_tests"))
    return TestFramework::kGoogleTest;
  if (mentions("_ZN7doctest")) return TestFramework::kDoctest;
  if (!mentions("_ZN5Catch") || !arguments.empty()) return TestFramework::kNone;
  return mentions("list-test-names-only") ? TestFramework::kCatch2Old : TestFramework::kCatch2;
}

std::vector<std::string> list_arguments(TestFramework framework) {
  switch (framework) {
    case TestFramework::kGoogleTest:
      return {"--gtest_list_tests"};
    case TestFramework::kCatch2:
      return {"--list-tests", "--verbosity", "quiet"};
    case TestFramework::kCatch2Old:
      return {"--list-test-names-only"};
    case TestFramework::kDoctest:
      return {"--list-test-cases", "--no-version"};
    case TestFramework::kNone:
      break;
  }
  return {};
}

bool has_listed(TestFramework framework, const CommandEnd& end) {
  // Version 2 of Catch2 ends with the number of cases.
  if (framework == TestFramework::kCatch2Old) return end.signal == 0 && !end.timed_out;
  return end.ok();
}

std::vector<TestCase> parse_list(TestFramework framework, std::string_view printed) {
  switch (framework) {
    case TestFramework::kGoogleTest:
      return parse_google_test(printed);
    case TestFramework::kCatch2:
    case TestFramework::kCatch2Old:
      return parse_catch2(printed);
    case TestFramework::kDoctest:
      return parse_doctest(printed);
    case TestFramework::kNone:
      break;
  }
  return {};
}

}  // namespace heddle
