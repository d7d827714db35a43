#include "select/selector.h"

#include <map>
#include <optional>

namespace heddle::select {
namespace {

class Selector {
 public:
  Selector(const std::vector<SharedVariable>& variables, const std::vector<OldBlock>& blocks,
           const Coverage& coverage, const SelectorOptions& options)
      : variables_(variables), coverage_(coverage), options_(options) {
    for (const OldBlock& block : blocks) covering_.push_back(coverage.of(block));
  }

  PairCoverage run(const std::vector<ImpactedPair>& pairs) {
    PairCoverage result;
    result.pairs_of.resize(coverage_.tests());
    result.variables_of.resize(coverage_.tests());
    for (uint32_t i = 0; i < pairs.size(); ++i) {
      const std::vector<TestIndex>& tests = tests_of(pairs[i]);
      for (const TestIndex test : tests) result.pairs_of[test].push_back(i);
      if (tests.empty()) result.uncovered.push_back(i);
    }
    for (uint32_t i = 0; i < variables_.size(); ++i)
      for (const CoveringTest& test : covering(variables_[i].old_block))
        result.variables_of[test.test].push_back(i);
    return result;
  }

 private:
  const std::vector<CoveringTest>& covering(uint32_t block) const {
    static const std::vector<CoveringTest> kNobody;
    return block == kNone ? kNobody : covering_[block];
  }

  // Many pairs lie in the same two blocks.
  const std::vector<TestIndex>& tests_of(const ImpactedPair& pair) {
    const uint32_t first = variables_[pair.first].old_block;
    const bool is_ordering = pair.second == kNone;
    const uint32_t second = is_ordering ? kNone : variables_[pair.second].old_block;
    const auto [known, is_new] =
        known_.try_emplace({std::min(first, second), std::max(first, second), is_ordering});
    if (is_new) known->second = is_ordering ? with_threads(first) : with_both(first, second);
    return known->second;
  }

  // The operation orders whatever the threads do: any test that reaches it and has some.
  std::vector<TestIndex> with_threads(uint32_t block) const {
    std::vector<TestIndex> tests;
    for (const CoveringTest& covering : covering(block))
      if (coverage_.threads_of(covering.test) > 1) tests.push_back(covering.test);
    return tests;
  }

  std::vector<TestIndex> with_both(uint32_t first, uint32_t second) const {
    std::vector<TestIndex> tests;
    auto b = covering(second).begin();
    for (const CoveringTest& a : covering(first)) {
      while (b != covering(second).end() && b->test < a.test) ++b;
      if (b == covering(second).end()) break;
      if (b->test != a.test) continue;
      if (!options_.by_thread || has_different_threads(a.threads, b->threads)) tests.push_back(a.test);
    }
    return tests;
  }

  const std::vector<SharedVariable>& variables_;
  const Coverage& coverage_;
  const SelectorOptions options_;
  std::vector<std::vector<CoveringTest>> covering_;  // by old block
  std::map<std::tuple<uint32_t, uint32_t, bool>, std::vector<TestIndex>> known_;
};

}  // namespace

PairCoverage cover_pairs(const std::vector<SharedVariable>& variables, const std::vector<OldBlock>& blocks,
                         const std::vector<ImpactedPair>& pairs, const Coverage& coverage,
                         const SelectorOptions& options) {
  return Selector(variables, blocks, coverage, options).run(pairs);
}

}  // namespace heddle::select
