// Rings in graphs: threads that wait for each other, as acquisitions of locks (*nodes*) that can wait for
// each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace heddle {

// The strongly connected components of a graph, given by the successors of each node: a number for each node,
// equal within a component. Only within a component are there rings. Tarjan's algorithm, without recursion:
// there may be as many nodes as memory holds.
inline std::vector<uint32_t> strong_components(const std::vector<std::vector<uint32_t>>& successors) {
  constexpr uint32_t kNone = ~0u;
  const size_t count = successors.size();
  std::vector<uint32_t> order(count), low(count), component(count, kNone);  // order 0: not seen yet
  std::vector<uint32_t> open;
  std::vector<std::pair<uint32_t, size_t>> path;  // node, next edge
  uint32_t seen = 0;
  for (uint32_t root = 0; root < count; ++root) {
    if (order[root] != 0) continue;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      const uint32_t node = path.back().first;
      if (order[node] == 0) {
        order[node] = low[node] = ++seen;
        open.push_back(node);
      }
      if (path.back().second < successors[node].size()) {
        const uint32_t to = successors[node][path.back().second++];
        if (order[to] == 0)
          path.emplace_back(to, 0);
        else if (component[to] == kNone)
          low[node] = std::min(low[node], order[to]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low[path.back().first] = std::min(low[path.back().first], low[node]);
      if (low[node] != order[node]) continue;
      while (component[node] == kNone) {
        component[open.back()] = node;
        open.pop_back();
      }
    }
  }
  return component;
}

// Finds rings of nodes of different threads. `Graph` provides
//   thread_of(node)
//   begins(first, other)       whether a ring of both can begin with the first: if that is true of one node
//   of
//                              each ring, it is found once
//   in_the_way_of(node)        nodes for which it may wait …
//   waits_for(node, holder)    … and whether it does
//   fit(one, other)            whether both can be in one ring
template <typename Graph>
class RingSearch {
 public:
  RingSearch(const Graph& graph, uint64_t most_steps) : graph_(graph), most_steps_(most_steps) {}

  // Calls on_ring(nodes) for every ring of `length` nodes that begins with `start`. False if the search is to
  // end: there are no steps left, or on_ring() has said so by false.
  template <typename OnRing>
  bool find(uint32_t start, size_t length, OnRing&& on_ring) {
    ring_.assign(1, start);
    return extend(length, on_ring);
  }

  // One step of the search, or of what on_ring() does. False: there are none left.
  bool step() { return ++steps_ <= most_steps_; }

 private:
  template <typename OnRing>
  bool extend(size_t length, OnRing& on_ring) {
    const uint32_t first = ring_.front();
    const uint32_t last = ring_.back();
    if (ring_.size() == length) return !graph_.waits_for(last, first) || on_ring(std::as_const(ring_));
    for (const uint32_t next : graph_.in_the_way_of(last)) {
      if (!step()) return false;
      if (!graph_.begins(first, next) || !graph_.waits_for(last, next)) continue;
      const bool fits = std::all_of(ring_.begin(), ring_.end(), [&](uint32_t other) {
        return graph_.thread_of(other) != graph_.thread_of(next) && graph_.fit(other, next);
      });
      if (!fits) continue;
      ring_.push_back(next);
      if (!extend(length, on_ring)) return false;
      ring_.pop_back();
    }
    return true;
  }

  const Graph& graph_;
  const uint64_t most_steps_;
  uint64_t steps_ = 0;
  std::vector<uint32_t> ring_;
};

}  // namespace heddle
