#include "explore/preferred_lines.h"

#include "symbolize/trace_symbols.h"

namespace heddle {

bool PreferredLines::includes(std::string_view file, uint32_t line) const {
  for (auto at = lines_.lower_bound({line, ""}); at != lines_.end() && at->first == line; ++at) {
    const std::string& wanted = at->second;
    if (!file.ends_with(wanted)) continue;
    if (file.size() == wanted.size() || file[file.size() - wanted.size() - 1] == '/') return true;
  }
  return false;
}

bool PreferredPlaces::includes(const trace::Trace& trace, const trace::EventRecord& event, uint64_t place) {
  const auto [entry, is_new] = known_.try_emplace(place, false);
  if (is_new && event.site != 0) {
    TraceSymbols symbols(trace, symbolizer_);
    const Frame& line = symbols.line_of_interest(event.site, event.context);
    entry->second = lines_.includes(line.file, line.line);
  }
  return entry->second;
}

}  // namespace heddle
