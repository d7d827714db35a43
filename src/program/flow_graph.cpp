#include "program/flow_graph.h"

#include <algorithm>

namespace heddle::program {
namespace {

using Graph = std::vector<std::vector<uint32_t>>;

// Those reached from `root`, in postorder.
std::vector<uint32_t> postorder(const Graph& next, uint32_t root) {
  std::vector<uint32_t> order;
  std::vector<bool> seen(next.size());
  std::vector<std::pair<uint32_t, uint32_t>> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    auto& [at, edge] = stack.back();
    if (edge < next[at].size()) {
      const uint32_t to = next[at][edge++];
      if (!seen[to]) {
        seen[to] = true;
        stack.push_back({to, 0});
      }
    } else {
      order.push_back(at);
      stack.pop_back();
    }
  }
  return order;
}

// Cooper, Harvey, Kennedy: A simple, fast dominance algorithm.
std::vector<uint32_t> immediate_dominators(const Graph& next, const Graph& previous, uint32_t root) {
  const std::vector<uint32_t> order = postorder(next, root);
  std::vector<uint32_t> rank(next.size(), kNone);
  for (uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
  std::vector<uint32_t> dominator(next.size(), kNone);
  dominator[root] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = order.size(); i-- > 0;) {
      const uint32_t at = order[i];
      if (at == root) continue;
      uint32_t found = kNone;
      for (uint32_t from : previous[at]) {
        if (dominator[from] == kNone) continue;
        if (found == kNone) {
          found = from;
          continue;
        }
        uint32_t other = from;
        while (found != other) {
          while (rank[found] < rank[other]) found = dominator[found];
          while (rank[other] < rank[found]) other = dominator[other];
        }
      }
      if (dominator[at] != found) {
        dominator[at] = found;
        changed = true;
      }
    }
  }
  return dominator;
}

}  // namespace

FlowGraph::FlowGraph(const Function& function, Edges edges)
    : successors_(function.blocks.size()), predecessors_(function.blocks.size()) {
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    for (const Edge& edge : function.blocks[block].edges) {
      if (edge.to >= function.blocks.size() || (edges == Edges::kNormal && edge.exceptional)) continue;
      std::vector<uint32_t>& next = successors_[block];
      if (std::find(next.begin(), next.end(), edge.to) != next.end()) continue;
      next.push_back(edge.to);
      predecessors_[edge.to].push_back(block);
    }
  }
}

std::vector<uint32_t> FlowGraph::reverse_postorder() const {
  if (size() == 0) return {};
  std::vector<uint32_t> order = postorder(successors_, 0);
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<bool> FlowGraph::in_cycle() const {
  // A block is in a cycle if its strongly connected component has an edge inside (Kosaraju).
  std::vector<bool> result(size());
  std::vector<bool> placed(size());
  std::vector<uint32_t> finished;
  for (uint32_t root = 0; root < size(); ++root) {
    if (placed[root]) continue;
    for (uint32_t block : postorder(successors_, root)) {
      if (!placed[block]) {
        placed[block] = true;
        finished.push_back(block);
      }
    }
  }
  std::vector<uint32_t> component(size(), kNone);
  for (size_t i = finished.size(); i-- > 0;) {
    if (component[finished[i]] != kNone) continue;
    std::vector<uint32_t> stack{finished[i]};
    component[finished[i]] = finished[i];
    while (!stack.empty()) {
      const uint32_t at = stack.back();
      stack.pop_back();
      for (uint32_t from : predecessors_[at]) {
        if (component[from] == kNone) {
          component[from] = finished[i];
          stack.push_back(from);
        }
      }
    }
  }
  for (uint32_t block = 0; block < size(); ++block) {
    for (uint32_t to : successors_[block]) {
      if (component[to] == component[block]) result[block] = true;
    }
  }
  return result;
}

std::vector<uint32_t> FlowGraph::dominators() const {
  if (size() == 0) return {};
  return immediate_dominators(successors_, predecessors_, 0);
}

std::vector<uint32_t> FlowGraph::post_dominators() const {
  Graph next = successors_;
  Graph previous = predecessors_;
  next.emplace_back();
  previous.emplace_back();
  auto leaves = [&](uint32_t block) {
    next[block].push_back(exit());
    previous[exit()].push_back(block);
  };
  for (uint32_t block = 0; block < size(); ++block) {
    if (successors_[block].empty()) leaves(block);
  }
  std::vector<bool> ends(size() + 1);
  auto mark = [&](uint32_t from) {
    for (uint32_t block : postorder(previous, from)) ends[block] = true;
  };
  mark(exit());
  // Of an endless loop, the block that is furthest from the entry leaves.
  std::vector<uint32_t> order = reverse_postorder();
  std::vector<bool> reached(size());
  for (uint32_t block : order) reached[block] = true;
  for (uint32_t block = 0; block < size(); ++block) {
    if (!reached[block]) order.push_back(block);
  }
  for (size_t i = order.size(); i-- > 0;) {
    if (ends[order[i]]) continue;
    leaves(order[i]);
    mark(order[i]);
  }
  return immediate_dominators(previous, next, exit());
}

std::vector<std::pair<uint32_t, uint32_t>> FlowGraph::control_dependence(const Function& function) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  const FlowGraph graph(function, Edges::kNormal);
  if (graph.size() == 0) return pairs;
  const std::vector<uint32_t> after = graph.post_dominators();
  auto decides = [&](uint32_t decider, uint32_t first, uint32_t until) {
    for (uint32_t block = first; block != until && block != graph.exit(); block = after[block]) {
      pairs.push_back({block, decider});
    }
  };
  for (uint32_t block = 0; block < graph.size(); ++block) {
    const std::vector<Edge>& edges = function.blocks[block].edges;
    if (edges.size() == 1 && !edges[0].exceptional) continue;
    for (const Edge& edge : edges) decides(block, edge.to, after[block]);
  }
  decides(graph.exit(), 0, graph.exit());
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace heddle::program
