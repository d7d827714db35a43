#include "interact/fuzz/trace.h"

#include <algorithm>

#include "interact/search/sequence.h"

namespace heddle::fuzz {
namespace {

constexpr size_t kMostTraces = size_t{1} << 15;
// What is remembered only to be quick.
constexpr size_t kMostMarks = size_t{1} << 18;

uint64_t hash_of(std::span<const uint32_t> numbers) {
  uint64_t hash = numbers.size();
  for (const uint32_t number : numbers) {
    hash = (hash ^ number) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  return hash;
}

}  // namespace

TraceNumber Traces::of(std::span<const uint32_t> marks) {
  const uint64_t hash = hash_of(marks);
  if (const auto known = by_marks_.find(hash); known != by_marks_.end()) return known->second;
  if (by_marks_.size() >= kMostMarks) by_marks_.clear();
  const TraceNumber number = find_or_add(marks);
  by_marks_.emplace(hash, number);
  return number;
}

// As PathWalk does for recordings (search/path_walk.h).
TraceNumber Traces::find_or_add(std::span<const uint32_t> marks) {
  interact::FoldedSequence nodes, changes;
  interact::SequenceKey nodes_key, changes_key;
  std::unordered_set<uint64_t> steps;
  Trace trace;
  uint32_t last = kNoNode;
  for (const uint32_t mark : marks) {
    const uint32_t node = mark < graph_.node_of_mark.size() ? graph_.node_of_mark[mark] : kNoNode;
    if (node == kNoNode) continue;
    const bool is_change = graph_.nodes[node].is_change;
    if (last == kNoNode && !is_change) continue;
    if (last == node) {
      if (std::ranges::find(trace.repeated, node) == trace.repeated.end()) trace.repeated.push_back(node);
    } else if (steps.insert(key_of({last, node})).second) {
      trace.steps.emplace_back(last, node);
    }
    last = node;
    nodes.add(node);
    nodes_key.add(node);
    if (!is_change) continue;
    changes.add(node);
    changes_key.add(node);
  }
  const auto [known, is_new] =
      by_steps_.try_emplace(nodes_key.value(), static_cast<TraceNumber>(traces_.size()));
  if (!is_new) return known->second;
  if (traces_.size() >= kMostTraces) {
    by_steps_.erase(known);
    return kNoNode;
  }
  trace.nodes = nodes.take();
  trace.changes = changes.take();
  trace.changes_key = changes_key.value();
  traces_.push_back(std::move(trace));
  is_taken_.push_back(false);
  return known->second;
}

Traces::News Traces::take(TraceNumber number) {
  News news;
  if (number == kNoNode || is_taken_[number]) return news;
  is_taken_[number] = true;
  const Trace& trace = traces_[number];
  for (const auto& step : trace.steps) news.step |= steps_.insert(key_of(step)).second;
  for (const uint32_t node : trace.repeated) news.step |= steps_.insert(key_of({node, node})).second;
  news.changes = changes_.insert(trace.changes_key).second;
  return news;
}

}  // namespace heddle::fuzz
