// The change sequence graph and distances by enumeration: paths with the calls that are open on them, step by
// step. Slow, for small flows only, and written without a look at how the graph is built.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "interact/change_graph.h"

namespace heddle::interact {

class PathOracle {
 public:
  PathOracle(const Flow& flow, std::vector<StatementIndex> changes, const Dependences& dependences,
             const ChangeGraphOptions& options);

  const std::set<std::pair<StatementIndex, StatementIndex>>& next_edges() const { return next_edges_; }
  const std::set<std::pair<StatementIndex, StatementIndex>>& dependence_edges() const {
    return dependence_edges_;
  }
  const std::set<StatementIndex>& locations() const { return locations_; }
  const std::set<StatementIndex>& starts() const { return starts_; }
  bool is_live(PointIndex point) const { return live_.contains(point); }

  // Steps from a point to the nearest of `targets`.
  std::optional<uint32_t> distance(PointIndex from, const std::set<PointIndex>& targets) const;

 private:
  using Calls = std::vector<PointIndex>;
  using Place = std::pair<PointIndex, Calls>;  // with the calls that the path has made and not left
  using Places = std::set<Place>;

  std::vector<Place> steps(const Place& from) const;
  void unwind(ProcedureIndex procedure, std::set<ProcedureIndex>& seen, std::vector<Place>& to) const;
  std::set<PointIndex> reached(std::vector<Place> open, const std::function<bool(PointIndex)>& is_end) const;
  std::set<PointIndex> reached_after(StatementIndex statement,
                                     const std::function<bool(PointIndex)>& is_end) const;
  bool is_reached_at(PointIndex point) const;
  std::set<StatementIndex> changes_of(StatementIndex statement) const;
  bool is_important(StatementIndex statement) const;
  bool is_shown(const std::set<StatementIndex>& group) const;
  bool is_derived(const std::set<StatementIndex>& group) const;
  std::set<StatementIndex> group_of(StatementIndex statement) const;
  std::set<StatementIndex> influence(StatementIndex of, const std::set<StatementIndex>& group) const;
  bool is_multiple(StatementIndex statement) const;

  const Flow& flow_;
  const Dependences& dependences_;
  ChangeGraphOptions options_;
  std::set<StatementIndex> changes_;
  std::set<StatementIndex> outputs_;
  std::set<StatementIndex> candidates_;
  std::set<PointIndex> live_;
  std::set<StatementIndex> live_statements_;
  std::set<StatementIndex> locations_;
  std::set<StatementIndex> starts_;
  std::set<std::pair<StatementIndex, StatementIndex>> next_edges_;
  std::set<std::pair<StatementIndex, StatementIndex>> dependence_edges_;
};

}  // namespace heddle::interact
