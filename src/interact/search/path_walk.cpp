#include "interact/search/path_walk.h"

namespace heddle::interact {

void PathWalk::pass(const concolic::Event& event) {
  if (event.kind != concolic::SiteKind::kMark) return;
  const StatementIndex statement = sites_.of(event.site).statement;
  if (statement == kNone) return;
  const uint32_t node = graph_.node_of(statement);
  if (node == kNone) return;
  const bool is_change = graph_.nodes[node].kind == ChangeNode::Kind::kChange;
  if (last_ == kNone && !is_change) return;
  if (last_ == node) repeated_.insert(node);
  last_ = node;
  nodes_.add(node);
  if (!is_change) return;
  changes_.add(statement);
  key_.add(statement);
}

}  // namespace heddle::interact
