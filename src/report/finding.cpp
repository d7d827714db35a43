#include "report/finding.h"

#include <algorithm>

#include <fmt/format.h>

#include "trace/hash.h"
#include "trace/names.h"

namespace heddle {
namespace {

std::string fingerprint(std::string_view kind, const std::vector<std::string>& identity) {
  uint64_t hash = trace::fnv1a(kind);
  for (const std::string& part : identity) hash = trace::fnv1a(part + "\n", hash);
  return fmt::format("{:016x}", hash);
}

}  // namespace

Finding make_finding(ReportContext& context, const FailureStory& story) {
  return make_finding(context, story, context.trace().outcome().kind);
}

Finding make_finding(ReportContext& context, const FailureStory& story, trace::OutcomeKind kind) {
  Finding finding;
  finding.kind = trace::to_text(kind);
  finding.fingerprint = fingerprint(finding.kind, story.identity);
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

std::optional<Finding> make_finding(const trace::Trace& trace, Symbolizer& symbolizer) {
  ReportContext context(trace, symbolizer);
  std::optional<FailureStory> story = tell_failure(context);
  if (!story) return std::nullopt;
  return make_finding(context, *story);
}

}  // namespace heddle
