#include "interact/program_graph.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "interact/traversal.h"

namespace heddle::interact {
namespace {

using program::FunctionIndex;
using program::NodeId;

std::vector<FunctionIndex> find_entries(const program::Program& head, const std::vector<std::string>& names) {
  std::vector<FunctionIndex> entries;
  for (const std::string& name : names)
    for (const FunctionIndex f : head.find(name)) entries.push_back(f);
  return entries;
}

// What a statement depends on is asked of the program's dependence graph; but only on changes that control
// can come from. The graph knows no order of accesses to memory in different functions.
class DependenceFinder {
 public:
  DependenceFinder(const program::Program& head, const program::PointsTo& points_to, const ProgramGraph& of)
      : dependence_(head, points_to), has_threads_(!points_to.thread_starts().empty()), of_(of) {
    found_.changes.resize(of.statements.size());
    found_.direct.resize(of.statements.size());
  }

  Dependences find() {
    const Flow& flow = of_.flow.flow;
    const Traversal traversal(flow, std::vector<bool>(flow.points.size()));
    const std::vector<std::vector<PointIndex>> starts = starts_of(flow);
    for (const ChangedStatement& change : of_.changed.all)
      add_change(change.statement, statements_among(traversal.after(starts[change.statement])));
    for (StatementIndex s = 0; s < of_.statements.size(); ++s)
      if (found_.changes[s].size() > 1) add_direct(s);
    return std::move(found_);
  }

 private:
  std::vector<bool> statements_among(const std::vector<bool>& points) const {
    std::vector<bool> statements(of_.statements.size());
    for (PointIndex p = 0; p < points.size(); ++p)
      if (const StatementIndex s = of_.flow.flow.points[p].statement; points[p] && s != kNone)
        statements[s] = true;
    return statements;
  }

  // Changes are added in their order, so what each statement has stays sorted.
  void add_change(StatementIndex change, const std::vector<bool>& follows) {
    for (const NodeId& node : dependence_.forward_slice(of_.statements[change].nodes)) {
      const StatementIndex s = of_.statements.of(node);
      if (!follows[s] && !has_threads_) continue;
      std::vector<StatementIndex>& changes = found_.changes[s];
      if (changes.empty() || changes.back() != change) changes.push_back(change);
    }
  }

  void add_direct(StatementIndex s) {
    std::set<std::pair<StatementIndex, bool>> direct;
    for (const NodeId& node : of_.statements[s].nodes)
      for (const program::Dependence::On& on : dependence_.depends_on(node))
        direct.emplace(of_.statements.of(on.node), on.kind == program::Dependence::Kind::kData);
    for (const auto& [on, is_data] : direct)
      if (on != s) found_.direct[s].push_back({on, is_data});
  }

  const program::Dependence dependence_;
  const bool has_threads_;
  const ProgramGraph& of_;
  Dependences found_;
};

}  // namespace

Expected<ProgramGraph> build_program_graph(const program::Program& head, const StatementMap& change,
                                           const ProgramGraphOptions& options) {
  const std::vector<FunctionIndex> entries = find_entries(head, options.entries);
  if (entries.empty())
    return usage_error(fmt::format("The program has no function {}: name one that it begins with.",
                                   fmt::join(options.entries, " or ")));
  const program::PointsTo points_to(head);
  ProgramGraph result{ProgramStatements(head), {}, {}, {}};
  result.flow = make_flow(head, points_to, result.statements, entries);
  result.changed = find_changed_statements(head, result.statements, change);
  const Dependences dependences = DependenceFinder(head, points_to, result).find();
  ChangeGraphInput input{result.flow.flow, {}, dependences, {}};
  for (const ChangedStatement& changed : result.changed.all) input.changes.push_back(changed.statement);
  for (StatementIndex s = 0; s < result.statements.size(); ++s)
    input.may_interact.push_back(result.statements[s].is_readable());
  result.graph = build_change_graph(input, options.graph);
  return result;
}

}  // namespace heddle::interact
