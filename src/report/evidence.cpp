#include "report/evidence.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "report/tellers.h"

namespace heddle {
namespace {

// Of a flow that no terminal limits: more threads than a person follows, and more steps than one reads.
constexpr InterleavingLimits kWide{.rows = 100, .threads = 16};

// Reasons why the report may say less than it could, or something else than expected.
std::vector<std::string> notes_of(ReportContext& context) {
  std::vector<std::string> notes;
  // Which thread the schedule wanted is known only with the schedule at hand.
  if (const uint64_t step = context.trace().outcome().diverged_step; step != 0)
    notes.push_back(fmt::format("the schedule could not be followed from choice {} on", step));
  for (const std::string& problem : context.symbols.problems()) notes.push_back(problem);
  return notes;
}

}  // namespace

Evidence make_evidence(ReportContext& context, const FailureStory& story, const EvidenceOptions& options) {
  Evidence evidence{.message = story.message, .banner = story.banner, .details = story.details};
  for (const Place& place : story.places) {
    const SourceLine line = source_line(context, place, options.scope);
    if (line.function.empty()) continue;
    if (std::find(evidence.sites.begin(), evidence.sites.end(), line) == evidence.sites.end())
      evidence.sites.push_back(line);
  }
  evidence.columns =
      make_flow(context, story, {.rows = options.rows, .threads = options.columns}, options.scope);
  if (options.wants_flow) evidence.flow = make_flow(context, story, kWide, options.scope);
  if (options.wants_events)
    evidence.execution =
        std::make_shared<const RecordedExecution>(record_execution(context, story, options.scope));
  // Asked last: by now everything has been named that will be.
  evidence.notes = notes_of(context);
  return evidence;
}

void add_evidence(Finding* finding, const trace::Trace& trace, Symbolizer& symbolizer,
                  const EvidenceOptions& options) {
  std::error_code failed;
  ReportContext context(
      trace, symbolizer,
      options.directory.empty() ? std::filesystem::current_path(failed).string() : options.directory);
  const std::optional<FailureStory> story = finding->race && *finding->race < trace.races().size()
                                                ? tell_race(context, trace.races()[*finding->race])
                                                : tell_failure(context);
  if (!story) return;
  finding->evidence = std::make_shared<const Evidence>(make_evidence(context, *story, options));
}

}  // namespace heddle
