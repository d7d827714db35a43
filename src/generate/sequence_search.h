// SequenceSearch: grows the tree of call sequences on one object, each executed alone (ALGORITHMS section 6).
//
// A node is a sequence. Expanding one makes every operation once after it. A call is redundant if it covers
// nothing new and leaves the object in an abstract state that was there already; then the sequence is not
// extended (depth pruning), and the same call is not tried again in that state (breadth pruning), unless
// other methods have had its arguments last: what is removed may be there, or not. Next is always the
// sequence whose last call covered most that was new. The loop is expand_next().
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "generate/call_plan.h"
#include "generate/class_model.h"
#include "generate/operation.h"
#include "support/error.h"

namespace heddle::generate {

// A call that was made after the sequence of a node.
struct ExploredCall {
  OperationId operation{};
  RunEnd end = RunEnd::kFinished;
  CallResult result;
  CallFootprint footprint;
  uint64_t signature = 0;
  size_t gain = 0;  // how much it covered that was new
};

struct SequenceNode {
  OperationId constructor{};
  std::vector<OperationId> calls;
  std::string state;  // abstract
  size_t gain = 0;
  bool is_expanded = false;
  std::vector<ExploredCall> explored;  // once it is expanded
};

struct SearchCounts {
  uint64_t sequences = 0;      // executed
  uint64_t raising_calls = 0;  // that covered something new
  uint64_t states = 0;
  uint64_t not_extended = 0;  // depth pruning
  uint64_t not_tried = 0;     // breadth pruning
};

struct SearchOptions {
  size_t longest = 12;  // calls
  bool prunes = true;
};

class SequenceSearch {
 public:
  // Both must outlive this.
  SequenceSearch(CallRunner& runner, const OperationTable& operations, SearchOptions options = {})
      : runner_(runner), operations_(operations), options_(options) {}

  // Constructs the object in every way.
  Expected<void> begin();
  // The node that was expanded; nothing if the tree has been explored.
  Expected<std::optional<uint32_t>> expand_next();

  // Made alone, it never ends, or has always ended the process.
  bool is_hopeless(OperationId operation) const;

  const std::vector<SequenceNode>& nodes() const { return nodes_; }
  const SearchCounts& counts() const { return counts_; }
  // What each call that raised the coverage has added to it: keys of CallFootprint::coverage.
  const std::vector<std::vector<uint64_t>>& raises() const { return raises_; }
  // Operations that failed, blocked or ended the process wherever they were made, with the reason.
  std::vector<Unusable> unusable() const;

 private:
  struct States {
    std::string both;   // what calls do depends on it, mostly
    std::string other;  // of the second object
  };
  Expected<ExploredCall> make_call(const SequenceNode& node, OperationId operation, States* states);
  size_t cover(const CallFootprint& footprint);
  States states_of(OperationId constructor, const CallRun& run) const;
  bool is_new(const States& states);
  void add_node(SequenceNode node);
  bool has_results_for(const SequenceNode& node, const Operation& operation) const;
  uint64_t last_uses(const SequenceNode& node, const Operation& operation) const;

  // The largest gain first, then the shortest, then the oldest.
  struct Open {
    size_t gain = 0;
    size_t length = 0;
    uint32_t node = 0;
    bool operator<(const Open& other) const {
      if (gain != other.gain) return gain > other.gain;
      return std::pair(length, node) < std::pair(other.length, other.node);
    }
  };
  struct OperationEnds {
    uint64_t good = 0;
    uint64_t fatal = 0;  // ended the process, in whatever way
    uint64_t hung = 0;
    std::string bad;  // why it did not end well, once
  };

  CallRunner& runner_;
  const OperationTable& operations_;
  const SearchOptions options_;
  std::vector<SequenceNode> nodes_;
  std::set<Open> open_;
  std::unordered_set<uint64_t> covered_;
  std::vector<std::vector<uint64_t>> raises_;
  std::set<std::string> states_;
  std::set<std::string> other_states_;
  std::map<OperationId, std::string> fresh_;  // the state that each constructor makes
  std::set<std::tuple<std::string, OperationId, uint64_t>> redundant_;  // … and its arguments' last uses
  std::vector<OperationEnds> ends_;                                     // by operation
  SearchCounts counts_;
};

}  // namespace heddle::generate
