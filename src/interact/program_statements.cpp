#include "interact/program_statements.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace heddle::interact {

using program::FunctionIndex;
using program::Node;

ProgramStatements::ProgramStatements(const program::Program& program) {
  // Lines without a statement may belong to what several functions have in common by chance.
  using Place = std::tuple<std::string, SourceRange, FunctionIndex>;
  std::map<Place, std::vector<program::NodeId>> places;
  for (FunctionIndex f = 0; f < program.size(); ++f) {
    const std::vector<Node>& nodes = program.function(f).nodes;
    of_nodes_.emplace_back(nodes.size());
    for (uint32_t n = 0; n < nodes.size(); ++n)
      places[{nodes[n].file, nodes[n].range, nodes[n].text.empty() ? f : 0}].push_back({f, n});
  }
  for (auto& [place, nodes] : places) {
    const program::Function& function = program.function(nodes.front().function);
    const Node& node = function.nodes[nodes.front().node];
    for (const program::NodeId& id : nodes) of_nodes_[id.function][id.node] = size();
    all_.push_back({node.file, node.range, node.text, function.name, std::move(nodes)});
  }
}

StatementIndex ProgramStatements::of(const program::NodeId& node) const {
  return node.node == kNone ? kNone : of_nodes_[node.function][node.node];
}

StatementIndex ProgramStatements::at(const std::string& file, const SourceRange& range) const {
  const auto found = std::lower_bound(
      all_.begin(), all_.end(), std::tie(file, range),
      [](const ProgramStatement& one, const auto& place) { return std::tie(one.file, one.range) < place; });
  const bool is_there = found != all_.end() && found->file == file && found->range == range;
  return is_there && !found->text.empty() ? static_cast<StatementIndex>(found - all_.begin()) : kNone;
}

}  // namespace heddle::interact
