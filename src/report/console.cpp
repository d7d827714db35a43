// The whole report as text.
#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "report/finding_kinds.h"
#include "report/text.h"
#include "report/writers.h"

namespace heddle {
namespace {

std::string heading(const Finding& finding) {
  std::vector<std::string> words;
  if (finding.status == FindingStatus::kNew) words.emplace_back("new");
  if (finding.status == FindingStatus::kKnown) words.emplace_back("known");
  if (!is_confirmed(finding.confirmation)) words.emplace_back("not shown by an execution");
  if (!finding.tests.empty()) words.push_back("shown by " + join_words(finding.tests));
  return fmt::format("{}", fmt::join(words, ", "));
}

void render_tests(std::ostream& out, const Report& report) {
  constexpr std::array kTold = {TestFate::kNotReached, TestFate::kUnusable, TestFate::kTrouble};
  for (const ReportedTest& test : report.tests) {
    if (std::find(kTold.begin(), kTold.end(), test.fate) == kTold.end()) continue;
    const std::string reasons = fmt::format("{}", fmt::join(test.reasons, "; "));
    out << fmt::format("{}: {}{}\n", to_text(test.fate), printable(test.name),
                       reasons.empty() ? "" : ": " + printable(reasons));
  }
}

}  // namespace

void render_report(std::ostream& out, const Report& report, const TerminalOptions& options) {
  const Paint paint(options.colour);
  std::vector<const Finding*> findings;
  for (const Finding& finding : report.result.findings) findings.push_back(&finding);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding* a, const Finding* b) { return is_graver(*a, *b); });
  const std::string verdict =
      report.verdict.empty()
          ? fmt::format("{}: {} in {}", report.result.command, count_of(findings.size(), "finding"),
                        count_of(report.result.executions, "execution"))
          : report.verdict;
  out << paint.bold("heddle: " + printable(verdict)) << '\n';
  if (!report.error.empty()) out << paint.failure("error:") << ' ' << printable(report.error) << '\n';
  for (const Finding* finding : findings) {
    out << '\n';
    if (const std::string text = heading(*finding); !text.empty()) out << paint.dim(text) << '\n';
    render_terminal(out, *finding, options);
    if (finding->words.empty()) continue;
    out << "\n  What the test says:\n";
    for (const std::string& line : finding->words) out << "      " << printable(line) << '\n';
  }
  if (!findings.empty()) out << '\n';
  render_tests(out, report);
  for (const std::string& note : report.notes) out << "note: " << printable(note) << '\n';
}

std::string write_console(const Report& report) {
  std::ostringstream out;
  render_report(out, report, {});
  return out.str();
}

}  // namespace heddle
