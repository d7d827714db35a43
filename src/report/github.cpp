// Annotations of GitHub Actions: lines that the runner takes from the output of a step and shows beside the
// code. It shows ten of a kind for a step.
#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "report/finding_kinds.h"
#include "report/report_paths.h"
#include "report/text.h"
#include "report/writers.h"

namespace heddle {
namespace {

constexpr size_t kMostOfAKind = 10;

std::string replaced(std::string_view text,
                     std::initializer_list<std::pair<char, std::string_view>> escapes) {
  std::string out;
  for (const char c : text) {
    const auto escape =
        std::find_if(escapes.begin(), escapes.end(), [&](const auto& known) { return known.first == c; });
    if (escape != escapes.end())
      out += escape->second;
    else
      out += c;
  }
  return out;
}

std::string as_data(std::string_view text) {
  return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}});
}

std::string as_property(std::string_view text) {
  return replaced(text, {{'%', "%25"}, {'\r', "%0D"}, {'\n', "%0A"}, {':', "%3A"}, {',', "%2C"}});
}

std::string command_of(const Finding& finding) {
  if (finding.status == FindingStatus::kKnown) return "notice";
  switch (severity_of(finding)) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "notice";
  }
  return "notice";
}

std::string annotation(const Report& report, const Finding& finding) {
  std::string properties;
  if (const FindingSite* site = main_site(report, finding); site != nullptr) {
    if (const std::optional<std::string> file = below_root(report, site->file))
      properties = fmt::format("file={},line={},", as_property(*file), site->line);
  }
  std::string title(finding_kind(finding.kind).title);
  if (finding.status == FindingStatus::kKnown) title += " (the base has it, too)";
  std::string text = printable(finding.message);
  if (!finding.tests.empty()) text += "\nshown by " + join_words(finding.tests);
  if (!finding.schedule.empty()) text += "\nreplay: heddle replay " + finding.schedule;
  return fmt::format("::{} {}title={}::{}\n", command_of(finding), properties, as_property(title),
                     as_data(text));
}

}  // namespace

std::string write_github(const Report& report) {
  std::vector<const Finding*> findings;
  for (const Finding& finding : report.result.findings) findings.push_back(&finding);
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding* a, const Finding* b) { return is_graver(*a, *b); });
  std::string out;
  std::map<std::string, size_t> shown = {{"notice", 1}};  // the last line
  size_t left_out = 0;
  for (const Finding* finding : findings) {
    if (++shown[command_of(*finding)] > kMostOfAKind)
      ++left_out;
    else
      out += annotation(report, *finding);
  }
  if (!report.error.empty())
    out += fmt::format("::error title=heddle::{}\n", as_data(printable(report.error)));
  std::string last = printable(report.verdict);
  if (left_out != 0)
    last += fmt::format("{}{} not shown here, since ten of a kind are", last.empty() ? "" : "; ",
                        left_out == 1 ? "1 finding is" : fmt::format("{} findings are", left_out));
  if (!last.empty())
    out += fmt::format("::notice title=heddle {}::{}\n", report.result.command, as_data(last));
  return out;
}

}  // namespace heddle
