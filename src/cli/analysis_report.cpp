#include "cli/analysis_report.h"

#include <unistd.h>

#include <iostream>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "report/suppressible_story.h"
#include "report/terminal.h"
#include "report/text.h"
#include "trace/names.h"

namespace heddle {

AnalysisReport::AnalysisReport(Suppressions suppressions, std::string output)
    : output_(std::move(output)), symbolizer_(make_symbolizer()), suppressions_(std::move(suppressions)) {}

bool AnalysisReport::is_news(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind) {
  const std::string fingerprint = make_finding(context, story, kind).fingerprint;
  const auto [entry, is_new] = is_told_.try_emplace(fingerprint, false);
  if (entry->second) return false;
  // Findings with one fingerprint can differ in their callers: one that is suppressed does not hide another.
  entry->second = !suppressions_.suppress(suppressible(context, story, kind));
  if (!entry->second && is_new) ++suppressed_;
  return entry->second;
}

Expected<void> AnalysisReport::tell(ReportContext& context, FailureStory story, const Told& told) {
  Finding finding = make_finding(context, story, told.kind);
  finding.confirmation = told.confirmation;
  finding.confirmed =
      told.confirmation != Confirmation::kPredicted && told.confirmation != Confirmation::kNotReproduced;
  finding.executions_to_find = told.executions;
  if (told.pattern != 0) finding.pattern = told.pattern;
  if (told.schedule != nullptr) {
    const Expected<std::string> file = write_finding_schedule(*told.schedule, finding, output_);
    if (!file) return tl::unexpected(file.error());
    finding.schedule = *file;
  }
  for (const std::string& note : told.notes) story.details.push_back({note, {}});
  std::cout.flush();
  render_terminal(std::cerr, finding, context, story, terminal_options(STDERR_FILENO));
  std::cerr << '\n';
  findings_.push_back(std::move(finding));
  return {};
}

void say_unused(const Suppressions& suppressions, const std::string& file) {
  for (const Suppression& unused : suppressions.unused())
    say(fmt::format("{}:{}: suppression {} matched nothing", file, unused.line, unused.text()));
}

}  // namespace heddle
