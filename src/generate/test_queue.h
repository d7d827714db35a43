// TestQueue: concurrent tests that are worth executing, the most promising first.
//
// Candidates are made of what the sequential search has seen: two calls after the same sequence (the common
// prefix that builds a state), and later longer ones, up to whole sequences on a fresh object. A test is
// promising by the conflicts of its calls (conflicts.h) that no test before it had, and by the requirements
// that it is likely to show (likely_requirements.h) as long as no test has covered them: the same places in
// another state of the object may be what it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "generate/call_plan.h"
#include "generate/conflicts.h"
#include "generate/requirements.h"
#include "generate/sequence_search.h"

namespace heddle::generate {

class TestQueue {
 public:
  struct Options {
    uint32_t threads = 2;  // at most
    // What tests have found, and by number the methods' names in it. Without, only conflicts count.
    const Requirements* requirements = nullptr;
    std::vector<std::string> methods = {};
  };
  // `search` must outlive this.
  TestQueue(const SequenceSearch& search, const OperationTable& operations, Options options)
      : search_(search), operations_(operations), options_(options) {}

  // The calls that were made after this node's sequence.
  void add_node(uint32_t node);
  // Nothing if no candidate is left. `at_least`: of which weight.
  std::optional<CallPlan> next(uint64_t at_least = 1);
  // Longer tests from the nodes added so far. False if there are none.
  bool add_longer_tests();

  size_t size() const { return queue_.size(); }

 private:
  struct Candidate {
    CallPlan plan;
    std::vector<Conflict> conflicts;
    std::vector<uint64_t> likely;  // requirements
    uint64_t weight = 0;
    uint64_t number = 0;  // in the order in which they were made

    bool operator<(const Candidate& other) const {  // the last of them comes first
      if (weight != other.weight) return weight < other.weight;
      if (plan.calls() != other.plan.calls()) return plan.calls() > other.plan.calls();
      return number > other.number;
    }
  };

  // Calls of a node of which each does something else.
  std::vector<const ExploredCall*> different_calls(const SequenceNode& node) const;
  void add(const SequenceNode& node, std::vector<std::vector<OperationId>> threads,
           std::vector<Conflict> conflicts, std::vector<uint64_t> likely = {});
  std::vector<uint64_t> likely_of(const ExploredCall& one, const ExploredCall& other) const;
  uint64_t weight_of(const Candidate& candidate) const;
  uint64_t weight_of(uint64_t requirement) const;
  const SequenceNode* node_after(const SequenceNode& node, OperationId call) const;
  const SequenceNode* node_for_second(const SequenceNode& node, const ExploredCall& first) const;
  void add_two_against_one(const SequenceNode& node, const std::vector<const ExploredCall*>& calls);
  void add_triples(const SequenceNode& node, const std::vector<const ExploredCall*>& calls);

  const SequenceSearch& search_;
  const OperationTable& operations_;
  const Options options_;
  std::priority_queue<Candidate> queue_;
  std::unordered_set<uint64_t> tried_;               // keys of conflicts
  std::unordered_map<uint64_t, uint32_t> attempts_;  // by requirement: tests that were given for it
  std::set<CallPlan> known_;
  std::vector<uint32_t> nodes_;
  size_t longer_from_ = 0;  // of nodes_: those before have been lengthened
  uint64_t made_ = 0;
};

}  // namespace heddle::generate
