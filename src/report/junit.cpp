// JUnit XML, as CI systems show it: a test case for each test, a failure for each of its findings.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "report/finding_kinds.h"
#include "report/text.h"
#include "report/writers.h"

namespace heddle {
namespace {

// The length of the UTF-8 sequence that begins `text`; 0 if it is not one.
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const size_t length = byte(0) < 0x80   ? 1
                        : byte(0) < 0xc2 ? 0
                        : byte(0) < 0xe0 ? 2
                        : byte(0) < 0xf0 ? 3
                        : byte(0) < 0xf5 ? 4
                                         : 0;
  if (length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  const bool is_surrogate = length == 3 && byte(0) == 0xed && byte(1) >= 0xa0;
  const bool is_overlong = (length == 3 && byte(0) == 0xe0 && byte(1) < 0xa0) ||
                           (length == 4 && byte(0) == 0xf0 && byte(1) < 0x90);
  const bool is_too_large = length == 4 && byte(0) == 0xf4 && byte(1) >= 0x90;
  const bool is_no_character = length == 3 && byte(0) == 0xef && byte(1) == 0xbf && byte(2) >= 0xbe;
  return is_surrogate || is_overlong || is_too_large || is_no_character ? 0 : length;
}

// What XML 1.0 cannot hold, not even escaped, becomes U+FFFD: control characters, and what is not UTF-8.
std::string escaped(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = sequence_length(text.substr(i));
    const char c = text[i];
    if (length == 0 || (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'))
      out += kReplacement;
    else if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (c == '\n')
      out += "&#10;";
    else
      out += text.substr(i, length);
    i += std::max<size_t>(length, 1);
  }
  return out;
}

// The same between tags, where lines may stand as they are.
std::string escaped_lines(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) out += escaped(line) + '\n';
  return out;
}

struct TestCase {
  std::string name;
  double seconds = 0;
  std::vector<const Finding*> failures;
  std::vector<const Finding*> known;  // the base has them, too: no failures of this change
  std::string error;                  // nobody knows what the test does
  std::string skipped;                // why
  std::vector<std::string> remarks;
};

std::string seconds_text(double seconds) {
  return fmt::format("{:.3f}", seconds);
}

class JunitWriter {
 public:
  explicit JunitWriter(const Report& report) : report_(report) {}

  std::string run() {
    for (const Finding& finding : report_.result.findings)
      by_fingerprint_[finding.fingerprint].push_back(&finding);
    std::vector<TestCase> cases;
    for (const ReportedTest& test : report_.tests) cases.push_back(case_of(test));
    add_findings_without_test(&cases);
    if (cases.empty()) cases.push_back({.name = suite_name()});
    if (!report_.error.empty()) cases.push_back({.name = suite_name(), .error = report_.error});
    return write(cases);
  }

 private:
  std::string suite_name() const { return "heddle " + report_.result.command; }

  TestCase case_of(const ReportedTest& test) {
    TestCase result{.name = test.name, .seconds = test.seconds};
    for (const std::string& fingerprint : test.findings) {
      told_.insert(fingerprint);
      for (const Finding* finding : by_fingerprint_[fingerprint]) add(finding, &result);
    }
    const std::string reasons = fmt::format("{}", fmt::join(test.reasons, "; "));
    switch (test.fate) {
      case TestFate::kPassed:
      case TestFate::kFailed:
        if (!test.is_complete) result.remarks.push_back("not tried under all schedules");
        if (test.was_tried_before) result.remarks.push_back("an earlier run has found it clean");
        if (!reasons.empty()) result.remarks.push_back(reasons);
        break;
      case TestFate::kNotSelected:
        result.skipped = reasons.empty() ? "the change does not concern it" : reasons;
        break;
      case TestFate::kNotReached:
        result.skipped = "not reached for lack of time";
        break;
      case TestFate::kGone:
        result.skipped = "the head has it no more";
        break;
      case TestFate::kUnusable:
      case TestFate::kTrouble:
        result.error = reasons.empty() ? to_text(test.fate) : reasons;
        break;
    }
    return result;
  }

  static void add(const Finding* finding, TestCase* result) {
    (finding->status == FindingStatus::kKnown ? result->known : result->failures).push_back(finding);
  }

  // Those of a single test, which is the command; of a suite, those that belong to no test of it get a case
  // each.
  void add_findings_without_test(std::vector<TestCase>* cases) {
    const bool is_suite = !cases->empty();
    for (const Finding& finding : report_.result.findings) {
      if (told_.contains(finding.fingerprint)) continue;
      if (is_suite || cases->empty())
        cases->push_back(
            {.name = is_suite ? fmt::format("{} {}", finding.kind, finding.fingerprint) : suite_name()});
      add(&finding, &cases->back());
    }
  }

  std::string write(std::vector<TestCase>& cases) const {
    size_t failures = 0, errors = 0, skipped = 0;
    for (const TestCase& test : cases) {
      failures += test.failures.empty() ? 0 : 1;
      errors += test.failures.empty() && !test.error.empty() ? 1 : 0;
      skipped += test.failures.empty() && test.error.empty() && !test.skipped.empty() ? 1 : 0;
    }
    const std::string counts =
        fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"", cases.size(),
                    failures, errors, skipped, seconds_text(report_.result.seconds));
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out_ << fmt::format("<testsuites name=\"{}\" {}>\n", escaped(suite_name()), counts);
    out_ << fmt::format("  <testsuite name=\"{}\" {}>\n", escaped(suite_name()), counts);
    write_properties();
    for (TestCase& test : cases) write_case(test);
    out_ << "  </testsuite>\n</testsuites>\n";
    return out_.str();
  }

  void write_properties() const {
    out_ << "    <properties>\n";
    const auto property = [&](std::string_view name, const std::string& value) {
      if (!value.empty())
        out_ << fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, escaped(value));
    };
    property("heddle", heddle_version());
    property("verdict", report_.verdict);
    if (report_.base) property("base", report_.base->name + ' ' + report_.base->commit);
    if (report_.head) property("head", report_.head->name + ' ' + report_.head->commit);
    property("executions", std::to_string(report_.result.executions));
    property("complete", report_.result.complete ? "true" : "false");
    for (const std::string& note : report_.notes) property("note", note);
    out_ << "    </properties>\n";
  }

  void write_case(TestCase& test) const {
    out_ << fmt::format("    <testcase name=\"{}\" classname=\"{}\" time=\"{}\">\n", escaped(test.name),
                        escaped(suite_name()), seconds_text(test.seconds));
    const auto graver = [](const Finding* a, const Finding* b) { return is_graver(*a, *b); };
    std::stable_sort(test.failures.begin(), test.failures.end(), graver);
    for (const Finding* finding : test.failures)
      out_ << fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", escaped(finding->kind),
                          escaped(finding->kind + ": " + finding->message), escaped_lines(in_full(*finding)));
    if (test.failures.empty() && !test.error.empty())
      out_ << fmt::format("      <error message=\"{}\"/>\n", escaped(test.error));
    else if (test.failures.empty() && !test.skipped.empty())
      out_ << fmt::format("      <skipped message=\"{}\"/>\n", escaped(test.skipped));
    for (const Finding* finding : test.known)
      test.remarks.push_back(fmt::format("the base has it, too: {}: {}", finding->kind, finding->message));
    if (!test.remarks.empty())
      out_ << fmt::format("      <system-out>{}</system-out>\n",
                          escaped_lines(fmt::format("{}\n", fmt::join(test.remarks, "\n"))));
    out_ << "    </testcase>\n";
  }

  static std::string in_full(const Finding& finding) {
    std::ostringstream text;
    render_terminal(text, finding, {});
    return text.str();
  }

  const Report& report_;
  std::map<std::string, std::vector<const Finding*>> by_fingerprint_;
  std::set<std::string> told_;
  mutable std::ostringstream out_;
};

}  // namespace

std::string write_junit(const Report& report) {
  return JunitWriter(report).run();
}

}  // namespace heddle
