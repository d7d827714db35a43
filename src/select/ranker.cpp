#include "select/ranker.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "trace/hash.h"

namespace heddle::select {
namespace {

uint64_t hash_of(const std::string& name, uint64_t seed) {
  uint64_t hash = trace::fnv1a(name, trace::kFnvBasis ^ seed * 0x9e3779b97f4a7c15u);
  hash ^= hash >> 32;
  return hash * 0xff51afd7ed558ccdu;
}

class Ranker {
 public:
  Ranker(const std::vector<Candidate>& candidates, uint64_t seed) : candidates_(candidates) {
    size_t classes = 0;
    for (const Candidate& candidate : candidates) {
      classes = std::max(classes, candidate.goals.size());
      ties_.emplace_back(~candidate.strength, hash_of(candidate.name, seed));
    }
    covered_.resize(classes);
  }

  std::vector<uint32_t> run() {
    std::vector<uint32_t> order;
    std::vector<uint32_t> left(candidates_.size());
    for (uint32_t i = 0; i < left.size(); ++i) left[i] = i;
    while (!left.empty()) {
      const size_t before = order.size();
      add_round(left, order);
      // Those that cover nothing at all have only their ties.
      if (order.size() == before) {
        std::sort(left.begin(), left.end(), [&](uint32_t a, uint32_t b) { return ties_[a] < ties_[b]; });
        order.insert(order.end(), left.begin(), left.end());
        left.clear();
      }
    }
    return order;
  }

 private:
  using Gain = std::vector<uint32_t>;
  using Tie = std::pair<uint32_t, uint64_t>;  // the smaller one is better
  struct Entry {
    Gain gain;
    Tie tie;
    uint32_t candidate;
    bool operator<(const Entry& other) const { return std::tie(gain, other.tie) < std::tie(other.gain, tie); }
  };

  Gain gain_of(uint32_t candidate) const {
    Gain gain(covered_.size());
    const Goals& goals = candidates_[candidate].goals;
    for (size_t c = 0; c < goals.size(); ++c)
      for (const uint32_t goal : goals[c]) gain[c] += covered_[c].contains(goal) ? 0 : 1;
    return gain;
  }

  // Until no candidate adds anything. A gain only shrinks, so one that is still the best after it was counted
  // again is the best of all.
  void add_round(std::vector<uint32_t>& left, std::vector<uint32_t>& order) {
    for (auto& covered : covered_) covered.clear();
    std::priority_queue<Entry> open;
    for (const uint32_t candidate : left) open.push({gain_of(candidate), ties_[candidate], candidate});
    left.clear();
    while (!open.empty()) {
      Entry best = open.top();
      open.pop();
      Gain now = gain_of(best.candidate);
      const bool adds = std::any_of(now.begin(), now.end(), [](uint32_t gain) { return gain > 0; });
      if (!adds) {
        left.push_back(best.candidate);
      } else if (now == best.gain) {
        const Goals& goals = candidates_[best.candidate].goals;
        for (size_t c = 0; c < goals.size(); ++c) covered_[c].insert(goals[c].begin(), goals[c].end());
        order.push_back(best.candidate);
      } else {
        best.gain = std::move(now);
        open.push(std::move(best));
      }
    }
  }

  const std::vector<Candidate>& candidates_;
  std::vector<Tie> ties_;
  std::vector<std::unordered_set<uint32_t>> covered_;  // by class
};

}  // namespace

std::vector<uint32_t> rank(const std::vector<Candidate>& candidates, uint64_t seed) {
  return Ranker(candidates, seed).run();
}

}  // namespace heddle::select
