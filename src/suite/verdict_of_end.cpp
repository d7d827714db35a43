#include "suite/verdict_of_end.h"

#include <regex.h>

#include <algorithm>

#include <fmt/format.h>

namespace heddle {
namespace {

// With the expressions of POSIX, which CTest's are like. One that is none matches nothing.
bool matches(const std::string& pattern, const std::string& text) {
  regex_t compiled;
  if (::regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  const bool found = ::regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
  ::regfree(&compiled);
  return found;
}

bool is_matched_by_any(const std::vector<std::string>& patterns, const std::string& text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches(pattern, text); });
}

}  // namespace

EndVerdict judge_end(const SuiteTest& test, int exit_code, const std::string& printed) {
  if (test.skip_code && exit_code == *test.skip_code) return {};
  if (is_matched_by_any(test.skip_patterns, printed)) return {};
  EndVerdict verdict;
  verdict.passed = exit_code == 0;
  if (!test.pass_patterns.empty()) {
    verdict.passed = is_matched_by_any(test.pass_patterns, printed);
    if (!verdict.passed) {
      verdict.why = fmt::format("the test printed nothing that its PASS_REGULAR_EXPRESSION matches ({})",
                                fmt::join(test.pass_patterns, "; "));
    }
  }
  if (is_matched_by_any(test.fail_patterns, printed)) {
    verdict.passed = false;
    verdict.why = fmt::format("the test printed what its FAIL_REGULAR_EXPRESSION matches ({})",
                              fmt::join(test.fail_patterns, "; "));
  }
  if (test.must_fail) {
    verdict.passed = !verdict.passed;
    verdict.why = verdict.passed ? "" : "the test ended well, but it must fail (WILL_FAIL)";
  }
  return verdict;
}

}  // namespace heddle
