#include "cli/impact_report.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "impact/reasons.h"
#include "report/text.h"
#include "trace/names.h"
#include "trace/policy.h"

namespace heddle {
namespace {

// Impacted events that are alike to a reader: of one line, for one reason.
struct ImpactedLine {
  std::string place;  // "Cache::get cache.cpp:41:7"
  std::string does;   // "write of `Cache::size_`"
  std::string reason;
  std::string words;
  std::set<std::string> threads;
  uint64_t events = 0;
};

using LineKey = std::tuple<std::string, std::string, std::string>;

LineKey key_of(const ImpactedLine& line) {
  return {line.place, line.does, line.words};
}

struct ImpactedLines {
  std::vector<ImpactedLine> lines;
  std::vector<size_t> of_events;  // by impacted event: which line it belongs to
};

ImpactedLines lines_of(TestImpact& found) {
  ImpactWords words(found.impact, *found.base.symbols, *found.head.symbols);
  TraceSymbols& symbols = *found.head.symbols;
  ImpactedLines result;
  std::vector<ImpactedLine>& lines = result.lines;
  std::map<std::tuple<uint32_t, uint32_t, ImpactReason>, size_t> known;  // site, context, reason
  std::map<LineKey, size_t> alike;
  for (const ImpactedEvent& impacted : found.impact.events) {
    const trace::EventRecord& event = symbols.trace().events()[impacted.event];
    const auto [entry, is_new] = known.try_emplace({event.site, event.context, impacted.reason});
    if (is_new) {
      ImpactedLine line;
      line.place = symbols.site_text(event.site, event.context);
      line.does = trace::to_text(event.kind);
      if (event.object != 0) line.does += " of " + symbols.location_text(event.object, event.offset);
      line.reason = to_text(impacted.reason);
      line.words = words.describe(impacted);
      const auto [same, is_first] = alike.try_emplace(key_of(line), lines.size());
      entry->second = same->second;
      if (is_first) lines.push_back(std::move(line));
    }
    ImpactedLine& line = lines[entry->second];
    ++line.events;
    line.threads.insert(symbols.trace().thread_name(event.thread));
    result.of_events.push_back(entry->second);
  }
  return result;
}

nlohmann::ordered_json to_json(const ImpactedEvent& impacted, TestImpact& found, ImpactWords& words,
                               const std::filesystem::path& folder) {
  TraceSymbols& symbols = *found.head.symbols;
  const trace::EventRecord& event = symbols.trace().events()[impacted.event];
  const Frame& line = symbols.line_of_interest(event.site, event.context);
  return {{"site",
           {{"file", std::filesystem::path(line.file).lexically_proximate(folder).string()},
            {"line", line.line},
            {"column", line.column},
            {"function", line.function}}},
          {"thread", symbols.trace().thread_name(event.thread)},
          {"kind", trace::to_text(event.kind)},
          {"reason", to_text(impacted.reason)},
          {"schedule", trace::print_policy(found.policy)},
          {"event", impacted.event},
          {"words", words.describe(impacted)}};
}

}  // namespace

std::string name_of_execution(const std::string& test, const trace::PolicySpec& policy) {
  return policy == trace::PolicySpec() ? test : fmt::format("{} under {}", test, trace::print_policy(policy));
}

void ImpactReport::tell(TestImpact& found, nlohmann::ordered_json* json) {
  const ImpactedLines impacted = lines_of(found);
  std::vector<bool> is_new;
  for (const ImpactedLine& line : impacted.lines) is_new.push_back(told_.insert(key_of(line)).second);
  const bool has_news = std::find(is_new.begin(), is_new.end(), true) != is_new.end();
  if (is_first_ || has_news)
    fmt::print("{}: {} of {} accesses impacted{}\n", name_of_execution(test_, found.policy),
               found.impact.impacted_accesses, found.impact.accesses, is_first_ ? "" : ", new are");
  is_first_ = false;
  for (size_t i = 0; i < impacted.lines.size(); ++i) {
    if (!is_new[i]) continue;
    const ImpactedLine& line = impacted.lines[i];
    fmt::print("  {}: {}\n", line.place, line.does);
    fmt::print("      {}: {}; {} in {}\n", line.reason, line.words, count_of(line.events, "event"),
               join_words({line.threads.begin(), line.threads.end()}));
  }
  if (json == nullptr) return;
  ImpactWords words(found.impact, *found.base.symbols, *found.head.symbols);
  for (size_t i = 0; i < found.impact.events.size(); ++i)
    if (is_new[impacted.of_events[i]])
      json->push_back(to_json(found.impact.events[i], found, words, folder_));
}

}  // namespace heddle
