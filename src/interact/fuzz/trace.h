// Traces: through which nodes of the change sequence graph executions came, as the fast tier tells them
// apart: by which node ever followed which. A loop over input has no end of sequences, but few of these.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace heddle::fuzz {

inline constexpr uint32_t kNoNode = ~0U;

// What the loop knows of the graph.
struct GraphView {
  struct Node {
    bool is_change = false;
    bool is_flat = false;  // one of the targets of a search that does not follow the graph
  };
  std::vector<Node> nodes;
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  std::vector<uint32_t> starts;
  std::vector<uint32_t> node_of_mark;  // kNoNode: none
};

using TraceNumber = uint32_t;

struct Trace {
  std::vector<uint32_t> nodes;     // from the first change on, in the order of execution, loops folded
  std::vector<uint32_t> changes;   // of these, those that are changes; likewise
  std::vector<uint32_t> repeated;  // nodes that came right after themselves
  std::vector<std::pair<uint32_t, uint32_t>> steps;  // a node and the next one; the first after kNoNode
  uint64_t changes_key = 0;                          // by which change ever followed which
};

class Traces {
 public:
  explicit Traces(const GraphView& graph) : graph_(graph) {}

  // The one that the marks of an execution are, or the first one like it. kNoNode: there are too many to
  // remember.
  TraceNumber of(std::span<const uint32_t> marks);
  const Trace& operator[](TraceNumber number) const { return traces_[number]; }
  size_t size() const { return traces_.size(); }

  // Whether a step, or a sequence of changes, is there for the first time. Once for each trace.
  struct News {
    bool step = false;
    bool changes = false;
  };
  News take(TraceNumber number);
  bool is_reached(const std::pair<uint32_t, uint32_t>& step) const { return steps_.contains(key_of(step)); }

 private:
  static uint64_t key_of(const std::pair<uint32_t, uint32_t>& step) {
    return uint64_t{step.first} << 32 | step.second;
  }
  TraceNumber find_or_add(std::span<const uint32_t> marks);

  const GraphView& graph_;
  std::vector<Trace> traces_;
  std::vector<bool> is_taken_;
  std::unordered_map<uint64_t, TraceNumber> by_marks_;
  std::unordered_map<uint64_t, TraceNumber> by_steps_;
  std::unordered_set<uint64_t> steps_;
  std::unordered_set<uint64_t> changes_;
};

}  // namespace heddle::fuzz
