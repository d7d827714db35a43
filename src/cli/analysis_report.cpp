#include "cli/analysis_report.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "report/suppressible_story.h"
#include "report/terminal.h"
#include "report/text.h"
#include "trace/names.h"

namespace heddle {

AnalysisReport::AnalysisReport(Suppressions suppressions, std::string output, EvidenceOptions evidence)
    : output_(std::move(output)),
      evidence_(std::move(evidence)),
      symbolizer_(make_symbolizer()),
      suppressions_(std::move(suppressions)) {}

std::optional<std::string> AnalysisReport::news(ReportContext& context, const FailureStory& story,
                                                trace::OutcomeKind kind) {
  const std::string fingerprint = make_finding(context, story, kind).fingerprint;
  const auto [entry, is_new] = is_told_.try_emplace(fingerprint, false);
  if (entry->second) return std::nullopt;
  // Findings with one fingerprint can differ in their callers: one that is suppressed does not hide another.
  entry->second = !suppressions_.suppress(suppressible(context, story, kind));
  if (entry->second) return fingerprint;
  if (is_new) ++suppressed_;
  return std::nullopt;
}

Expected<void> AnalysisReport::tell(ReportContext& context, FailureStory story, const ToldFinding& told) {
  Finding finding = make_finding(context, story, told.kind);
  finding.confirmation = told.confirmation;
  finding.confirmed = is_confirmed(told.confirmation);
  finding.confirmed_earlier = told.confirmed_earlier;
  finding.executions_to_find = told.executions;
  if (told.pattern != 0) finding.pattern = told.pattern;
  if (told.schedule != nullptr) {
    const Expected<std::string> file = write_finding_schedule(*told.schedule, finding, output_, revision_);
    // A finding without its schedule is told all the same: what was executed is not lost with the disk.
    if (file)
      finding.schedule = *file;
    else
      say(file.error().message);
  }
  for (const std::string& note : told.notes) story.details.push_back({note, {}});
  if (instead_) {
    instead_(context, story, finding);
    findings_.push_back(std::move(finding));
    return {};
  }
  std::cout.flush();
  finding.evidence = std::make_shared<const Evidence>(make_evidence(context, story, evidence_));
  render_terminal(std::cerr, finding, terminal_options(STDERR_FILENO));
  std::cerr << '\n';
  findings_.push_back(std::move(finding));
  return {};
}

uint64_t AnalysisReport::confirmed_earlier() const {
  return static_cast<uint64_t>(std::count_if(
      findings_.begin(), findings_.end(), [](const Finding& finding) { return finding.confirmed_earlier; }));
}

void say_unused(const Suppressions& suppressions, const std::string& file) {
  for (const Suppression& unused : suppressions.unused())
    say(fmt::format("{}:{}: suppression {} matched nothing", file, unused.line, unused.text()));
}

void say_suppressed(uint64_t executions) {
  if (executions > 0) say(count_of(executions, "execution") + " failed with suppressed findings");
}

}  // namespace heddle
