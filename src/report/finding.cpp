#include "report/finding.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "report/suppressible_story.h"
#include "report/tellers.h"
#include "trace/hash.h"
#include "trace/names.h"

namespace heddle {

std::string fingerprint(std::string_view kind, const std::vector<std::string>& identity) {
  uint64_t hash = trace::fnv1a(kind);
  for (const std::string& part : identity) hash = trace::fnv1a(part + "\n", hash);
  return fmt::format("{:016x}", hash);
}

bool is_shown(std::string_view kind, Confirmation confirmation) {
  if (kind == "atomicity" && confirmation == Confirmation::kBenign) return false;
  return is_confirmed(confirmation);
}

Finding make_finding(ReportContext& context, const FailureStory& story) {
  return make_finding(context, story, context.trace().outcome().kind);
}

Finding make_finding(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind) {
  Finding finding;
  finding.kind = trace::to_text(kind);
  finding.fingerprint = fingerprint(finding.kind, story.identity);
  finding.identity = story.identity;
  finding.message = story.message;
  for (const Place& place : story.places) {
    const Frame& frame = context.symbols.line_of_interest(place.site, place.context);
    if (frame.function.empty()) continue;
    FindingSite site{frame.file, frame.line, frame.column, frame.function};
    if (std::find(finding.sites.begin(), finding.sites.end(), site) == finding.sites.end()) {
      finding.sites.push_back(std::move(site));
    }
  }
  for (uint32_t thread : story.threads) finding.threads.push_back(context.trace().thread_name(thread));
  return finding;
}

namespace {

bool is_suppressed(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind,
                   Suppressions* suppressions) {
  return suppressions != nullptr && suppressions->suppress(suppressible(context, story, kind));
}

// Races with the same fingerprint are one finding. Its examples differ in their callers, so each is asked for
// whether it is suppressed until one is not.
std::vector<Finding> race_findings(ReportContext& context, Suppressions* suppressions) {
  std::vector<Finding> findings;
  std::unordered_set<std::string> known;
  const std::span<const trace::RaceRecord> races = context.trace().races();
  for (size_t i = 0; i < races.size(); ++i) {
    const trace::OutcomeKind kind =
        races[i].ordered != 0 ? trace::OutcomeKind::kUseAfterFree : trace::OutcomeKind::kRace;
    const FailureStory story = tell_race(context, races[i]);
    Finding finding = make_finding(context, story, kind);
    if (known.contains(finding.fingerprint) || is_suppressed(context, story, kind, suppressions)) continue;
    known.insert(finding.fingerprint);
    finding.race = i;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace

std::vector<Finding> make_race_findings(const trace::Trace& trace, Symbolizer& symbolizer,
                                        Suppressions* suppressions) {
  ReportContext context(trace, symbolizer);
  return race_findings(context, suppressions);
}

std::vector<Finding> make_findings(const trace::Trace& trace, Symbolizer& symbolizer,
                                   Suppressions* suppressions) {
  ReportContext context(trace, symbolizer);
  const trace::OutcomeKind kind = trace.outcome().kind;
  const bool is_race = kind == trace::OutcomeKind::kRace || kind == trace::OutcomeKind::kUseAfterFree;
  if (is_race && !trace.races().empty()) return race_findings(context, suppressions);
  const std::optional<FailureStory> story = tell_failure(context);
  if (!story) return {};
  if (is_suppressed(context, *story, kind, suppressions)) return race_findings(context, suppressions);
  return {make_finding(context, *story)};
}

std::optional<Finding> make_finding(const trace::Trace& trace, Symbolizer& symbolizer,
                                    Suppressions* suppressions) {
  std::vector<Finding> findings = make_findings(trace, symbolizer, suppressions);
  if (findings.empty()) return std::nullopt;
  return std::move(findings.front());
}

}  // namespace heddle
