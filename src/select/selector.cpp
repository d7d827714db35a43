#include "select/selector.h"

#include <algorithm>
#include <map>

namespace heddle::select {
namespace {

class Selector {
 public:
  Selector(const std::vector<SharedVariable>& variables, const std::vector<OldBlock>& blocks,
           const Coverage& coverage, const SelectorOptions& options)
      : variables_(variables), blocks_(blocks), coverage_(coverage), options_(options) {}

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
      for (const CoveringTest& test : covering({variables_[i].old_block, How::kExecutes}))
        result.variables_of[test.test].push_back(i);
    return result;
  }

 private:
  enum class How : uint8_t { kExecutes, kPasses, kComesNear, kReadsShared, kWritesShared };
  struct Side {
    uint32_t block = kNone;
    How how = How::kExecutes;
    auto operator<=>(const Side&) const = default;
  };

  const std::vector<CoveringTest>& covering(const Side& side) {
    static const std::vector<CoveringTest> kNobody;
    if (side.block == kNone) return kNobody;
    const auto [known, is_new] = covering_.try_emplace(side);
    if (is_new) {
      const OldBlock& block = blocks_[side.block];
      switch (side.how) {
        case How::kExecutes:
          known->second = coverage_.of(block);
          break;
        case How::kPasses:
          known->second = coverage_.passing(block);
          break;
        case How::kComesNear:
          known->second = coverage_.reaching(block);
          break;
        default:
          known->second = coverage_.sharing(block, side.how == How::kWritesShared);
      }
    }
    return known->second;
  }

  // An access that the old program makes as well has been seen to share memory, if it does. That settles
  // pairs of two such accesses, and those that are pairs only because nothing better is known of their
  // memory. A new access may be the first that shares what others touch: then they need only be executed.
  // If the change decides only whether an access is made, a test that has made it makes the same one again,
  // which would have raced before, unless the other access is new; one that has come near may make it now.
  Side side_of(const SharedVariable& variable, const SharedVariable& other, bool is_sure) const {
    if (variable.is_decided_only())
      return {variable.old_block, other.is_as_before() || !is_sure ? How::kPasses : How::kComesNear};
    const bool is_settled =
        variable.is_as_before() && ((other.is_as_before() && !other.is_decided_only()) || !is_sure);
    if (!is_settled) return {variable.old_block, How::kExecutes};
    return {variable.old_block, variable.is_write ? How::kWritesShared : How::kReadsShared};
  }

  // Many pairs lie in the same two blocks.
  const std::vector<TestIndex>& tests_of(const ImpactedPair& pair) {
    const SharedVariable& first = variables_[pair.first];
    if (pair.second == kNone) {
      const auto [known, is_new] = known_.try_emplace({{first.old_block, How::kExecutes}, Side{}});
      if (is_new) known->second = with_threads(first.old_block);
      return known->second;
    }
    const SharedVariable& second = variables_[pair.second];
    const Side a = side_of(first, second, pair.is_sure);
    const Side b = side_of(second, first, pair.is_sure);
    const auto [known, is_new] = known_.try_emplace({std::min(a, b), std::max(a, b)});
    if (is_new) known->second = with_both(a, b);
    return known->second;
  }

  // The operation orders whatever the threads do: any test that reaches it and has some.
  std::vector<TestIndex> with_threads(uint32_t block) {
    std::vector<TestIndex> tests;
    for (const CoveringTest& by : covering({block, How::kExecutes}))
      if (coverage_.threads_of(by.test) > 1) tests.push_back(by.test);
    return tests;
  }

  std::vector<TestIndex> with_both(const Side& first, const Side& second) {
    std::vector<TestIndex> tests;
    const std::vector<CoveringTest>& of_second = covering(second);
    auto b = of_second.begin();
    for (const CoveringTest& a : covering(first)) {
      while (b != of_second.end() && b->test < a.test) ++b;
      if (b == of_second.end()) break;
      if (b->test != a.test) continue;
      if (!options_.by_thread || has_different_threads(*a.threads, *b->threads)) tests.push_back(a.test);
    }
    return tests;
  }

  const std::vector<SharedVariable>& variables_;
  const std::vector<OldBlock>& blocks_;
  const Coverage& coverage_;
  const SelectorOptions options_;
  std::map<Side, std::vector<CoveringTest>> covering_;
  std::map<std::pair<Side, Side>, std::vector<TestIndex>> known_;
};

}  // namespace

PairCoverage cover_pairs(const std::vector<SharedVariable>& variables, const std::vector<OldBlock>& blocks,
                         const std::vector<ImpactedPair>& pairs, const Coverage& coverage,
                         const SelectorOptions& options) {
  return Selector(variables, blocks, coverage, options).run(pairs);
}

}  // namespace heddle::select
