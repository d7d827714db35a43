#include "generate/test_queue.h"

#include <algorithm>
#include <map>
#include <utility>

#include "generate/keys.h"
#include "generate/likely_requirements.h"

namespace heddle::generate {
namespace {

// Calls of one method that do the same to the same memory: with equal arguments and with others.
constexpr size_t kOfOneKind = 2;
// What a requirement that is not covered is worth: for the first test; once it has been found, as long as
// tests may still show it; and before that, as long as it may be that prediction has not been asked well
// enough.
constexpr uint64_t kLikelyWeight = 3;
constexpr uint64_t kFoundWeight = 2;
constexpr uint32_t kMostTestsOfFound = 8;
constexpr uint32_t kMostTestsOfLikely = 3;
// Longer tests of one node: their number grows with the third power of that of the calls.
constexpr size_t kMostLonger = 400;

bool can_be_concurrent(const ExploredCall& call) {
  return call.end == RunEnd::kFinished || call.end == RunEnd::kBlocked;
}

// What two calls in a row can do to a third one that neither does alone: come between two accesses of it with
// one call, or on both sides of one of its accesses.
std::vector<Conflict> joined(const std::vector<Conflict>& first, const std::vector<Conflict>& second) {
  if (first.empty() || second.empty()) return {};
  std::vector<Conflict> found;
  for (const Conflict& one : first) {
    for (const Conflict& other : second) {
      if (found.size() == 64) return found;
      found.push_back({mix(mix(7, one.key), other.key), 1});
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::vector<const ExploredCall*> TestQueue::different_calls(const SequenceNode& node) const {
  std::map<std::pair<uint32_t, uint64_t>, size_t> seen;
  std::vector<const ExploredCall*> calls;
  for (const ExploredCall& call : node.explored) {
    if (!can_be_concurrent(call)) continue;
    if (seen[{operations_[call.operation].callable, call.signature}]++ < kOfOneKind) calls.push_back(&call);
  }
  return calls;
}

void TestQueue::add(const SequenceNode& node, std::vector<std::vector<OperationId>> threads,
                    std::vector<Conflict> conflicts, std::vector<uint64_t> likely) {
  Candidate candidate{.plan = {.constructor = node.constructor,
                               .before = node.calls,
                               .threads = std::move(threads),
                               .after = {}},
                      .conflicts = std::move(conflicts),
                      .likely = std::move(likely)};
  candidate.weight = weight_of(candidate);
  if (candidate.weight == 0 || !known_.insert(candidate.plan).second) return;
  candidate.number = made_++;
  queue_.push(std::move(candidate));
}

std::vector<uint64_t> TestQueue::likely_of(const ExploredCall& one, const ExploredCall& other) const {
  if (options_.requirements == nullptr) return {};
  const auto method = [&](const ExploredCall& call) {
    return std::string_view(options_.methods[operations_[call.operation].callable]);
  };
  return likely_requirements({one.footprint, method(one)}, {other.footprint, method(other)});
}

uint64_t TestQueue::weight_of(const Candidate& candidate) const {
  uint64_t weight = 0;
  for (const Conflict& conflict : candidate.conflicts)
    weight += tried_.contains(conflict.key) ? 0 : conflict.weight;
  for (const uint64_t requirement : candidate.likely) weight += weight_of(requirement);
  return weight;
}

uint64_t TestQueue::weight_of(uint64_t requirement) const {
  if (options_.requirements->is_covered(requirement)) return 0;
  const auto at = attempts_.find(requirement);
  const uint32_t attempts = at == attempts_.end() ? 0 : at->second;
  if (options_.requirements->is_found(requirement)) return attempts < kMostTestsOfFound ? kFoundWeight : 0;
  if (attempts == 0) return kLikelyWeight;
  return attempts < kMostTestsOfLikely ? 1 : 0;
}

void TestQueue::add_node(uint32_t index) {
  nodes_.push_back(index);
  const SequenceNode& node = search_.nodes()[index];
  const std::vector<const ExploredCall*> calls = different_calls(node);
  for (size_t i = 0; i < calls.size(); ++i) {
    for (size_t j = i; j < calls.size(); ++j) {
      // Who blocks alone needs another one to go on.
      if (calls[i]->end == RunEnd::kBlocked && calls[j]->end == RunEnd::kBlocked) continue;
      add(node, {{calls[i]->operation}, {calls[j]->operation}},
          conflicts_of(calls[i]->footprint, calls[j]->footprint), likely_of(*calls[i], *calls[j]));
    }
  }
}

std::optional<CallPlan> TestQueue::next(uint64_t at_least) {
  while (!queue_.empty()) {
    Candidate best = queue_.top();
    queue_.pop();
    const uint64_t weight = weight_of(best);
    if (weight == 0) continue;
    if (weight < best.weight) {  // others may be better now
      best.weight = weight;
      queue_.push(std::move(best));
      continue;
    }
    if (weight < at_least) {
      queue_.push(std::move(best));
      return std::nullopt;
    }
    for (const Conflict& conflict : best.conflicts) tried_.insert(conflict.key);
    for (const uint64_t requirement : best.likely) ++attempts_[requirement];
    return std::move(best.plan);
  }
  return std::nullopt;
}

const SequenceNode* TestQueue::node_after(const SequenceNode& node, OperationId call) const {
  std::vector<OperationId> calls = node.calls;
  calls.push_back(call);
  for (const SequenceNode& other : search_.nodes()) {
    if (other.is_expanded && other.constructor == node.constructor && other.calls == calls) return &other;
  }
  return nullptr;
}

// Where the second of two calls in a row is made. A call that only looks leaves the object as it was.
const SequenceNode* TestQueue::node_for_second(const SequenceNode& node, const ExploredCall& first) const {
  const SequenceNode* after = node_after(node, first.operation);
  if (after == nullptr && first.end == RunEnd::kFinished && operations_[first.operation].is_const)
    return &node;
  return after;
}

// Two calls of one thread against one of another.
void TestQueue::add_two_against_one(const SequenceNode& node, const std::vector<const ExploredCall*>& calls) {
  size_t made = 0;
  for (const ExploredCall* first : calls) {
    const SequenceNode* after = node_for_second(node, *first);
    if (after == nullptr) continue;
    for (const ExploredCall* second : different_calls(*after)) {
      for (const ExploredCall* other : calls) {
        if (made >= kMostLonger) return;
        std::vector<Conflict> conflicts = joined(conflicts_of(other->footprint, first->footprint),
                                                 conflicts_of(other->footprint, second->footprint));
        if (conflicts.empty()) continue;
        ++made;
        add(node, {{first->operation, second->operation}, {other->operation}}, std::move(conflicts));
      }
    }
  }
}

// Three threads, of which one meets both others. They may wait for it.
void TestQueue::add_triples(const SequenceNode& node, const std::vector<const ExploredCall*>& calls) {
  size_t made = 0;
  for (size_t i = 0; i < calls.size(); ++i) {
    for (size_t j = i; j < calls.size(); ++j) {
      for (const ExploredCall* other : calls) {
        if (made >= kMostLonger) return;
        if (calls[i]->end == RunEnd::kBlocked && calls[j]->end == RunEnd::kBlocked &&
            other->end == RunEnd::kBlocked)
          continue;
        std::vector<Conflict> conflicts = joined(conflicts_of(other->footprint, calls[i]->footprint),
                                                 conflicts_of(other->footprint, calls[j]->footprint));
        if (conflicts.empty()) continue;
        // Two that do the same are more than one of them.
        for (Conflict& conflict : conflicts) conflict.key = mix(8, conflict.key);
        std::sort(conflicts.begin(), conflicts.end());
        ++made;
        add(node, {{calls[i]->operation}, {calls[j]->operation}, {other->operation}}, std::move(conflicts));
      }
    }
  }
}

bool TestQueue::add_longer_tests() {
  const size_t before = queue_.size();
  for (; longer_from_ < nodes_.size() && queue_.size() == before; ++longer_from_) {
    const SequenceNode& node = search_.nodes()[nodes_[longer_from_]];
    const std::vector<const ExploredCall*> calls = different_calls(node);
    if (options_.threads >= 3) add_triples(node, calls);
    add_two_against_one(node, calls);
  }
  return queue_.size() > before;
}

}  // namespace heddle::generate
