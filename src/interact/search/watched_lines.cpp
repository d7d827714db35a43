#include <set>
#include <tuple>

#include "interact/search/directed_search.h"

namespace heddle::interact {

std::vector<concolic::WatchedLine> watched_lines(const ProgramGraph& graph, const std::string& source) {
  // Statements that begin on the same line end what is watched.
  std::set<std::pair<std::string, uint32_t>> lines;
  std::set<std::tuple<std::string, uint32_t, uint32_t>> places;
  for (const ChangeNode& node : graph.graph.nodes) {
    const ProgramStatement& statement = graph.statements[node.statement];
    for (uint32_t line = statement.range.first_line; line <= statement.range.last_line; ++line) {
      lines.insert({statement.file, line});
      places.insert({statement.file, line, 0});
    }
  }
  for (StatementIndex s = 0; s < graph.statements.size(); ++s) {
    const ProgramStatement& statement = graph.statements[s];
    if (!statement.text.empty() && lines.contains({statement.file, statement.range.first_line}))
      places.insert({statement.file, statement.range.first_line, statement.range.first_column});
  }
  std::vector<concolic::WatchedLine> watched;
  for (const auto& [file, line, column] : places)
    watched.push_back({file.starts_with('/') ? file : source + "/" + file, line, column});
  return watched;
}

}  // namespace heddle::interact
