#include "cli/impact_report.h"

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "impact/reasons.h"
#include "report/text.h"
#include "trace/names.h"

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

std::vector<ImpactedLine> lines_of(TestImpact& found) {
  ImpactWords words(found.impact, *found.base.symbols, *found.head.symbols);
  TraceSymbols& symbols = *found.head.symbols;
  std::vector<ImpactedLine> lines;
  std::map<std::tuple<uint32_t, uint32_t, ImpactReason>, size_t> known;  // site, context, reason
  std::map<std::tuple<std::string, std::string, std::string>, size_t> alike;
  for (const ImpactedEvent& impacted : found.impact.events) {
    const trace::EventRecord& event = symbols.trace().events()[impacted.event];
    const auto [entry, is_new] = known.try_emplace({event.site, event.context, impacted.reason});
    if (is_new) {
      ImpactedLine line;
      line.place = symbols.site_text(event.site, event.context);
      line.does =
          fmt::format("{} of {}", trace::to_text(event.kind),
                      event.object == 0 ? "nothing" : symbols.location_text(event.object, event.offset));
      line.reason = to_text(impacted.reason);
      line.words = words.describe(impacted);
      const auto [same, is_first] = alike.try_emplace({line.place, line.does, line.words}, lines.size());
      entry->second = same->second;
      if (is_first) lines.push_back(std::move(line));
    }
    ImpactedLine& line = lines[entry->second];
    ++line.events;
    line.threads.insert(symbols.trace().thread_name(event.thread));
  }
  return lines;
}

}  // namespace

void print_impact(const std::string& test, TestImpact& found) {
  fmt::print("{}: {} of {} accesses impacted\n", test, found.impact.impacted_accesses, found.impact.accesses);
  for (const ImpactedLine& line : lines_of(found)) {
    fmt::print("  {}: {}\n", line.place, line.does);
    fmt::print("      {}: {}; {} in {}\n", line.reason, line.words, count_of(line.events, "event"),
               join_words({line.threads.begin(), line.threads.end()}));
  }
}

nlohmann::ordered_json impact_to_json(TestImpact& found, const std::filesystem::path& folder) {
  nlohmann::ordered_json impacted = nlohmann::ordered_json::array();
  ImpactWords words(found.impact, *found.base.symbols, *found.head.symbols);
  TraceSymbols& symbols = *found.head.symbols;
  for (const ImpactedEvent& one : found.impact.events) {
    const trace::EventRecord& event = symbols.trace().events()[one.event];
    const Frame& line = symbols.line_of_interest(event.site, event.context);
    impacted.push_back({{"site",
                         {{"file", std::filesystem::path(line.file).lexically_proximate(folder).string()},
                          {"line", line.line},
                          {"column", line.column},
                          {"function", line.function}}},
                        {"thread", symbols.trace().thread_name(event.thread)},
                        {"kind", trace::to_text(event.kind)},
                        {"reason", to_text(one.reason)},
                        {"event", one.event},
                        {"words", words.describe(one)}});
  }
  return impacted;
}

}  // namespace heddle
