// PathWalk: goes along a recorded path, and knows through which nodes of the graph it has come.
#pragma once

#include <set>
#include <vector>

#include "interact/concolic/recording.h"
#include "interact/program_graph.h"
#include "interact/search/sequence.h"
#include "interact/search/site_map.h"

namespace heddle::interact {

class PathWalk {
 public:
  PathWalk(const ChangeGraph& graph, const SiteMap& sites) : graph_(graph), sites_(sites) {}

  void pass(const concolic::Event& event);

  uint32_t last_node() const { return last_; }  // kNone: none yet
  uint64_t changes_key() const { return key_.value(); }
  // In the graph's numbers, loops folded. Outputs and locations count after the first change.
  const std::vector<uint32_t>& nodes() const { return nodes_.statements(); }
  // Nodes that came right after themselves, which the folded sequence does not tell.
  const std::set<uint32_t>& repeated() const { return repeated_; }
  const std::vector<StatementIndex>& changes() const { return changes_.statements(); }

 private:
  const ChangeGraph& graph_;
  const SiteMap& sites_;
  uint32_t last_ = kNone;
  SequenceKey key_;
  FoldedSequence nodes_;
  std::set<uint32_t> repeated_;
  FoldedSequence changes_;
};

}  // namespace heddle::interact
