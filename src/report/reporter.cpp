#include "report/reporter.h"

#include <algorithm>
#include <array>

#include "report/html/html_report.h"
#include "report/run_result.h"
#include "report/writers.h"

namespace heddle {
namespace {

std::string write_json_report(const Report& report) {
  return dump(to_json(report)) + '\n';
}

constexpr std::array kReporters = {
    Reporter{"console", "text, as in a terminal", false, false, write_console},
    Reporter{"html", "one file to look at in a browser, with the interleavings step by step", true, true,
             write_html_report},
    Reporter{"json", "the result for programs, as docs/json.md describes", false, false, write_json_report},
    Reporter{"sarif", "SARIF 2.1.0, for code scanning and editors", true, false, write_sarif},
    Reporter{"junit", "JUnit XML, for CI systems", false, false, write_junit},
    Reporter{"github", "annotations of GitHub Actions", false, false, write_github},
};

}  // namespace

std::span<const Reporter> reporters() {
  return kReporters;
}

const Reporter* find_reporter(std::string_view name) {
  const auto found = std::find_if(kReporters.begin(), kReporters.end(),
                                  [&](const Reporter& reporter) { return reporter.name == name; });
  return found == kReporters.end() ? nullptr : &*found;
}

}  // namespace heddle
