#include "change/statement_places.h"

#include <algorithm>
#include <utility>

namespace heddle {

namespace {

using Position = std::pair<uint32_t, uint32_t>;

Position first_of(const SourceRange& range) {
  return {range.first_line, range.first_column};
}
Position last_of(const SourceRange& range) {
  return {range.last_line, range.last_column};
}

bool is_within(const SourceRange& inner, const SourceRange& outer) {
  return first_of(inner) >= first_of(outer) && last_of(inner) <= last_of(outer);
}

}  // namespace

StatementPlaces::StatementPlaces(const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files) {
    File& entry = files_[file.path];
    for (const SourceFunction& function : file.functions) entry.functions.push_back(&function);
    std::ranges::sort(entry.functions, {}, [](const SourceFunction* function) { return function->range; });
    uint32_t last = 0;
    for (const SourceFunction* function : entry.functions) {
      entry.last_line.push_back(last = std::max(last, function->range.last_line));
    }
  }
}

std::optional<StatementId> StatementPlaces::at(const std::string& file, uint32_t line,
                                               uint32_t column) const {
  const auto found = files_.find(file);
  if (found == files_.end()) return std::nullopt;
  const File& entry = found->second;
  std::optional<StatementId> best;
  SourceRange best_range;
  bool best_begins_here = false;
  auto next = std::ranges::upper_bound(
      entry.functions, line, {}, [](const SourceFunction* function) { return function->range.first_line; });
  for (size_t f = static_cast<size_t>(next - entry.functions.begin()); f-- > 0;) {
    if (entry.last_line[f] < line) break;
    const SourceFunction& function = *entry.functions[f];
    for (uint32_t s = 0; s < function.statements.size(); ++s) {
      const SourceRange& range = function.statements[s].range;
      if (range.first_line > line || range.last_line < line) continue;
      if (column != 0 &&
          (first_of(range) > Position(line, column) || last_of(range) < Position(line, column)))
        continue;
      const bool begins_here = column == 0 && range.first_line == line;
      const bool better = !best || (begins_here && !best_begins_here) ||
                          (begins_here && best_begins_here && first_of(range) < first_of(best_range)) ||
                          (begins_here == best_begins_here && !begins_here && is_within(range, best_range));
      if (!better) continue;
      best = StatementId{{file, function.signature}, s};
      best_range = range;
      best_begins_here = begins_here;
    }
  }
  return best;
}

}  // namespace heddle
