#include "interact/fuzz/corpus.h"

#include <algorithm>
#include <cmath>

#include "interact/fuzz/input_room.h"

namespace heddle::fuzz {
namespace {

constexpr size_t kChoicesBetween = 64;  // weighing all
// As likely as the sum of what else counts.
constexpr double kNearest = 16;
constexpr double kStepsOfHalf = 3;  // of distance, after which half of that is left
constexpr double kKnown = 0.1;
constexpr double kInProcesses = 0.02;  // about what they are slower

size_t size_of(const concolic::ProgramInput& input) {
  size_t size = 1;
  for (size_t text = 0; text < texts_of(input); ++text) size += 1 + text_of(input, text).size();
  return size;
}

}  // namespace

std::vector<uint16_t> DistanceTable::nearest(const std::vector<uint32_t>& edges) const {
  std::vector<uint16_t> result(nodes, kNoWay);
  for (const uint32_t edge : edges) {
    if ((size_t{edge} + 1) * nodes > distances.size()) continue;
    const uint16_t* const row = distances.data() + size_t{edge} * nodes;
    for (size_t node = 0; node < nodes; ++node) result[node] = std::min(result[node], row[node]);
  }
  return result;
}

void Corpus::add(CorpusEntry entry) {
  if (guidance_ != Guidance::kNone) entry.distances = table_.nearest(entry.edges);
  if (entry.trace != kNoNode) {
    entry.nodes = traces_[entry.trace].nodes;
    std::ranges::sort(entry.nodes);
    const auto rest = std::ranges::unique(entry.nodes);
    entry.nodes.erase(rest.begin(), rest.end());
  }
  if (unreached_.empty()) find_unreached();
  entries_.push_back(std::move(entry));
  sums_.push_back((sums_.empty() ? 0 : sums_.back()) + weight(entries_.back(), executions_));
}

void Corpus::find_unreached() {
  const size_t nodes = graph_.nodes.size();
  unreached_.assign(nodes + 1, {});
  if (guidance_ == Guidance::kNone) return;
  if (guidance_ == Guidance::kTargets) {
    for (uint32_t node = 0; node < nodes; ++node)
      if (graph_.nodes[node].is_flat) unreached_[nodes].push_back(node);
    return;
  }
  for (const uint32_t start : graph_.starts)
    if (!traces_.is_reached({kNoNode, start})) unreached_[nodes].push_back(start);
  for (const auto& edge : graph_.edges)
    if (!traces_.is_reached(edge)) unreached_[edge.first].push_back(edge.second);
}

std::optional<uint32_t> Corpus::distance_of(const CorpusEntry& entry) const {
  if (entry.distances.empty()) return std::nullopt;
  uint32_t least = DistanceTable::kNoWay;
  const auto look_at = [&](const std::vector<uint32_t>& targets) {
    for (const uint32_t target : targets) least = std::min<uint32_t>(least, entry.distances[target]);
  };
  look_at(unreached_.back());
  for (const uint32_t node : entry.nodes) look_at(unreached_[node]);
  if (least == DistanceTable::kNoWay) return std::nullopt;
  return least;
}

double Corpus::weight(const CorpusEntry& entry, uint64_t executions) const {
  uint32_t rarest = ~0U;
  for (const uint32_t edge : entry.edges) rarest = std::min(rarest, coverage_.executions_of(edge));
  const double rarity =
      entry.edges.empty()
          ? 1
          : std::log2(2 + static_cast<double>(executions) / (1.0 + static_cast<double>(rarest)));
  double result = rarity;
  if (const std::optional<uint32_t> distance = distance_of(entry))
    result += kNearest * std::exp2(-static_cast<double>(*distance) / kStepsOfHalf);
  result *= mean_work_ / (mean_work_ + static_cast<double>(entry.work));
  result *= mean_size_ / (mean_size_ + static_cast<double>(size_of(entry.input)));
  result /= std::sqrt(1.0 + entry.chosen);
  if (entry.needs_processes) result *= kInProcesses;
  if (guidance_ == Guidance::kGraph && entry.trace != kNoNode &&
      known_.contains(traces_[entry.trace].changes_key))
    result *= kKnown;
  return result;
}

void Corpus::weigh(uint64_t executions) {
  choices_left_ = std::max(kChoicesBetween, entries_.size() / 4);
  executions_ = executions;
  find_unreached();
  double work = 0, size = 0;
  for (const CorpusEntry& entry : entries_) {
    work += static_cast<double>(entry.work);
    size += static_cast<double>(size_of(entry.input));
  }
  mean_work_ = 1 + work / static_cast<double>(entries_.size());
  mean_size_ = size / static_cast<double>(entries_.size());
  sums_.clear();
  double sum = 0;
  for (const CorpusEntry& entry : entries_) sums_.push_back(sum += weight(entry, executions));
}

CorpusEntry& Corpus::choose(Random& random, uint64_t executions) {
  if (choices_left_ == 0) weigh(executions);
  --choices_left_;
  const double at = random.fraction() * sums_.back();
  const auto found = std::ranges::upper_bound(sums_, at);
  CorpusEntry& entry =
      entries_[std::min<size_t>(static_cast<size_t>(found - sums_.begin()), entries_.size() - 1)];
  ++entry.chosen;
  return entry;
}

std::vector<const CorpusEntry*> Corpus::nearest(size_t most) {
  find_unreached();
  std::vector<std::pair<uint32_t, const CorpusEntry*>> found;
  for (const CorpusEntry& entry : entries_)
    if (const std::optional<uint32_t> distance = distance_of(entry)) found.emplace_back(*distance, &entry);
  std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
  std::vector<const CorpusEntry*> result;
  for (const auto& [distance, entry] : found) {
    if (result.size() == most) break;
    result.push_back(entry);
  }
  return result;
}

}  // namespace heddle::fuzz
