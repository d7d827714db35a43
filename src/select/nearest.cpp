#include "select/nearest.h"

#include <algorithm>
#include <map>
#include <set>

#include "select/order.h"

namespace heddle::select {
namespace {

// More of the same kind come no nearer.
constexpr size_t kForEachFunction = 3;

class Nearest {
 public:
  Nearest(const ChangedProgram& changed, const std::vector<ImpactedPair>& pairs, const PairCoverage& covered,
          const Coverage& coverage)
      : changed_(changed), pairs_(pairs), covered_(covered), coverage_(coverage) {
    for (const std::vector<uint32_t>& of_test : covered.pairs_of)
      for (const uint32_t pair : of_test)
        for_each_changed_function(pair, [&](const std::string& function) { met_.insert(function); });
  }

  std::vector<NearTest> run() {
    for (const uint32_t pair : covered_.uncovered) {
      if (!pairs_[pair].is_sure || pairs_[pair].second == kNone) continue;
      for_each_changed_function(pair, [&](const std::string& function) {
        if (met_.contains(function)) return;
        for (const TestIndex test : near(pair)) found_[function].emplace(test, pair);
      });
    }
    std::map<TestIndex, uint32_t> chosen;
    for (const auto& [function, tests] : found_) {
      std::vector<std::pair<TestIndex, uint32_t>> best(tests.begin(), tests.end());
      std::stable_sort(best.begin(), best.end(), [&](const auto& a, const auto& b) {
        return coverage_.threads_of(a.first) > coverage_.threads_of(b.first);
      });
      best.resize(std::min(best.size(), kForEachFunction));
      chosen.insert(best.begin(), best.end());
    }
    std::vector<NearTest> result;
    for (const auto& [test, pair] : chosen)
      if (covered_.pairs_of[test].empty()) result.push_back({test, pair});
    return result;
  }

 private:
  template <typename Visit>
  void for_each_changed_function(uint32_t pair, const Visit& visit) const {
    if (!is_direct(changed_, pairs_[pair])) return;
    for (const uint32_t side : {pairs_[pair].first, pairs_[pair].second}) {
      if (side == kNone) continue;
      const SharedVariable& variable = changed_.variables[side];
      if (variable.is_impacted() && variable.rule != Rule::kSlice) visit(variable.function);
    }
  }

  const std::vector<TestIndex>& near(uint32_t pair) {
    const uint32_t first = changed_.variables[pairs_[pair].first].old_block;
    const uint32_t second = changed_.variables[pairs_[pair].second].old_block;
    const auto [known, is_new] = near_.try_emplace({std::min(first, second), std::max(first, second)});
    if (!is_new || first == kNone || second == kNone) return known->second;
    const std::vector<CoveringTest> ones = coverage_.reaching(changed_.old_blocks[first]);
    const std::vector<CoveringTest> others = coverage_.reaching(changed_.old_blocks[second]);
    auto other = others.begin();
    for (const CoveringTest& one : ones) {
      while (other != others.end() && other->test < one.test) ++other;
      if (other == others.end()) break;
      if (other->test == one.test && has_different_threads(*one.threads, *other->threads))
        known->second.push_back(one.test);
    }
    return known->second;
  }

  const ChangedProgram& changed_;
  const std::vector<ImpactedPair>& pairs_;
  const PairCoverage& covered_;
  const Coverage& coverage_;
  std::set<std::string> met_;                                   // functions whose changes some test meets
  std::map<std::string, std::map<TestIndex, uint32_t>> found_;  // by function
  std::map<std::pair<uint32_t, uint32_t>, std::vector<TestIndex>> near_;  // by old blocks
};

}  // namespace

std::vector<NearTest> nearest_tests(const ChangedProgram& changed, const std::vector<ImpactedPair>& pairs,
                                    const PairCoverage& covered, const Coverage& coverage) {
  return Nearest(changed, pairs, covered, coverage).run();
}

}  // namespace heddle::select
