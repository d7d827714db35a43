// ChangeGraph: the change sequence graph (Böhme, Oliveira, Roychoudhury, "Regression tests to expose change
// interaction errors", FSE 2013, section 4; Algorithm 1).
//
// Its nodes are the changed statements, the outputs, and the statements where changes may interact. From each
// change, control is followed to whatever node comes next; an interaction location is followed as if it were
// a change. A node depends on changes (the backward slice); a location has an edge from each of these.
//
// Where control is followed to:
// - a change is reached where its statement starts; an output (also a changed one) where it writes; an
//   interaction location where its statement ends, since what its calls return is what it combines;
// - returns match calls (traversal.h);
// - changes that the program cannot come to have no edges, and nothing depends on them.
// Beyond the paper: a location that is reached next has an edge also from a node that it does not depend on,
// and from other locations. Otherwise a path that has to pass it would find no next target. Such edges are
// not `is_by_dependence`: without those of them into locations, the graph is the paper's, to the letter.
#pragma once

#include <cstdint>
#include <vector>

#include "interact/dependences.h"
#include "interact/flow.h"

namespace heddle::interact {

struct ChangeNode {
  enum class Kind : uint8_t { kChange, kInteraction, kOutput };
  StatementIndex statement = kNone;
  Kind kind = Kind::kChange;
  bool is_output = false;               // of a changed output, too
  bool is_reached = true;               // false: a change that the program cannot come to
  std::vector<StatementIndex> changes;  // others that it depends on, sorted
  std::vector<PointIndex> points;       // where control has reached it

  // Whether several changes meet there. Changes and outputs can be such locations as well.
  bool is_location() const { return changes.size() + (kind == Kind::kChange ? 1 : 0) > 1; }
};

struct ChangeEdge {
  uint32_t from = 0;  // in ChangeGraph::nodes
  uint32_t to = 0;
  bool is_next = false;           // control may come from one to the other with no node between
  bool is_by_dependence = false;  // `to` is an interaction location and depends on the change `from`
};

struct ChangeGraph {
  std::vector<ChangeNode> nodes;  // by statement
  std::vector<ChangeEdge> edges;  // by `from`, then `to`
  // Changes that may be the first that is executed. All that comes before them is as it was in the base.
  std::vector<uint32_t> starts;

  std::vector<uint32_t> successors(uint32_t node) const;
  // kNone: it is no node.
  uint32_t node_of(StatementIndex statement) const;
};

struct ChangeGraphInput {
  const Flow& flow;
  std::vector<StatementIndex> changes;
  const Dependences& dependences;
  std::vector<bool> may_interact;  // by statement: others are never locations; empty: all may
};

struct ChangeGraphOptions {
  // Also locations that merely depend on one in the graph (locations.h).
  bool with_unimportant = false;
  // Control is followed from outputs as well: most programs write more than once.
  bool past_outputs = false;
};

ChangeGraph build_change_graph(const ChangeGraphInput& input, const ChangeGraphOptions& options = {});

}  // namespace heddle::interact
