#include "cli/analysis_report.h"

#include <unistd.h>

#include <iostream>

#include <fmt/format.h>

#include "cli/command_line.h"
#include "cli/outcome_output.h"
#include "report/terminal.h"
#include "report/text.h"
#include "trace/names.h"

namespace heddle {
namespace {

Suppressible suppressible(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind) {
  Suppressible what;
  what.kind = trace::to_text(kind);
  const trace::Trace& trace = context.trace();
  for (const Place& place : story.places) {
    std::string module;
    if (place.site < trace.sites().size() && trace.sites()[place.site].module < trace.modules().size())
      module = trace.string(trace.modules()[trace.sites()[place.site].module].path);
    bool is_top = true;
    for (const StackFrame& frame : context.symbols.stack(place.site, place.context)) {
      what.frames.push_back({frame.frame.signature.empty() ? frame.frame.function : frame.frame.signature,
                             frame.frame.file, module, is_top});
      what.frames.push_back({frame.frame.function, "", "", is_top});
      is_top = false;
    }
  }
  for (const LocationRange& location : story.locations)
    what.variables.push_back(context.symbols.location_label(location.object, location.offset));
  return what;
}

}  // namespace

AnalysisReport::AnalysisReport(AnalysisReportOptions options)
    : options_(std::move(options)), symbolizer_(make_symbolizer()) {}

Expected<void> AnalysisReport::open() {
  if (options_.suppressions.empty()) return {};
  Expected<Suppressions> read = Suppressions::read(options_.suppressions);
  if (!read) return tl::unexpected(read.error());
  suppressions_ = std::move(*read);
  return {};
}

bool AnalysisReport::is_news(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind) {
  const std::string fingerprint = make_finding(context, story, kind).fingerprint;
  const auto [entry, is_new] = seen_.try_emplace(fingerprint, false);
  if (!is_new) return false;
  entry->second = suppressions_.suppress(suppressible(context, story, kind));
  if (entry->second) ++suppressed_;
  return !entry->second;
}

Expected<void> AnalysisReport::tell(ReportContext& context, FailureStory story, const Told& told) {
  Finding finding = make_finding(context, story, told.kind);
  finding.confirmation = told.confirmation;
  finding.confirmed =
      told.confirmation != Confirmation::kPredicted && told.confirmation != Confirmation::kNotReproduced;
  finding.executions_to_find = told.executions;
  if (told.schedule != nullptr) {
    const Expected<std::string> file = write_finding_schedule(*told.schedule, finding, options_.output);
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

void AnalysisReport::say_unused_suppressions() const {
  for (const Suppression& unused : suppressions_.unused()) {
    say(fmt::format("{}:{}: suppression {} matched nothing", options_.suppressions, unused.line,
                    unused.text()));
  }
}

}  // namespace heddle
