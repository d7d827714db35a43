#include "select/order.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "select/held_locks.h"
#include "select/ranker.h"
#include "select/reasons.h"

namespace heddle::select {
namespace {

// A test has so many reasons told: more say no more.
constexpr size_t kReasons = 3;

// Of tests that cover the same pairs, those with more threads reveal more races, up to so many: main, and two
// for each side of a pair.
constexpr uint32_t kEnoughThreads = 5;

class Order {
 public:
  Order(const ChangedProgram& changed, const std::vector<ImpactedPair>& pairs, const PairCoverage& covered,
        const Suite& suite, uint64_t seed)
      : changed_(changed), pairs_(pairs), covered_(covered), suite_(suite), seed_(seed) {
    for (const SharedVariable& variable : changed.variables)
      if (variable.is_impacted() && variable.rule != Rule::kSlice) near_change_.insert(variable.function);
  }

  std::vector<RankedTest> run() {
    add_selected();
    add_known(suite_.near, Standing::kNear);
    for (const auto& [name, why] : suite_.unknown)
      tests_.push_back({.name = name, .standing = Standing::kNoHistory, .reasons = {why}});
    add_known(suite_.assumed, Standing::kAssumed);
    add_rest(Standing::kVariables, [](const SharedVariable& variable) { return variable.is_impacted(); });
    add_rest(Standing::kOtherShared, [](const SharedVariable& variable) { return !variable.is_impacted(); });
    add_rest(Standing::kRest, [](const SharedVariable&) { return false; });
    return std::move(tests_);
  }

 private:
  void add_known(const std::vector<std::pair<TestIndex, std::string>>& tests, Standing standing) {
    for (const auto& [test, why] : tests)
      if (is_placed_.insert(test).second)
        tests_.push_back({.name = suite_.known[test], .standing = standing, .reasons = {why}});
  }

  // What a test can add, the most important first. Tests that cover the same pairs differ by what else they
  // do in the functions of these. Sides that hold one lock exclude each other, unless it is the lock of two
  // objects: they come before what is neither sure nor where the change is.
  enum Class : uint8_t { kSure, kNearby, kSureSlice, kUnsure, kExcluded, kUnsureSlice, kClasses };

  Class class_of(const ImpactedPair& pair) const {
    if (pair.second != kNone &&
        exclude_each_other(changed_.variables[pair.first].held, changed_.variables[pair.second].held))
      return kExcluded;
    if (is_direct(changed_, pair)) return pair.is_sure ? kSure : kUnsure;
    return pair.is_sure ? kSureSlice : kUnsureSlice;
  }

  void add_selected() {
    std::vector<Candidate> candidates;
    std::vector<TestIndex> tests;
    for (TestIndex test = 0; test < suite_.known.size(); ++test) {
      if (covered_.pairs_of[test].empty()) continue;
      Goals goals(kClasses);
      for (const uint32_t pair : covered_.pairs_of[test]) goals[class_of(pairs_[pair])].push_back(pair);
      for (const uint32_t variable : covered_.variables_of[test])
        if (near_change_.contains(changed_.variables[variable].function)) goals[kNearby].push_back(variable);
      const uint32_t strength = std::min(suite_.coverage.threads_of(test), kEnoughThreads);
      candidates.push_back({suite_.known[test], std::move(goals), strength});
      tests.push_back(test);
    }
    for (const uint32_t candidate : rank(candidates, seed_)) {
      const TestIndex test = tests[candidate];
      is_placed_.insert(test);
      tests_.push_back({.name = suite_.known[test],
                        .standing = Standing::kPairs,
                        .pairs = covered_.pairs_of[test].size(),
                        .covered = covered_.pairs_of[test],
                        .reasons = reasons_of(candidates[candidate].goals, test)});
    }
  }

  // One for each cause, those of the change itself first.
  std::vector<std::string> reasons_of(const Goals& goals, TestIndex test) const {
    std::vector<std::string> reasons;
    std::set<std::pair<uint32_t, uint32_t>> causes;
    for (size_t i = 0; i < goals.size(); ++i) {
      if (i == kNearby) continue;  // no pairs
      for (const uint32_t pair : goals[i]) {
        if (reasons.size() == kReasons) return reasons;
        const SharedVariable& first = changed_.variables[pairs_[pair].first];
        const uint32_t second = pairs_[pair].second;
        const std::pair causes_of(first.cause, second == kNone ? kNone : changed_.variables[second].cause);
        if (causes.insert(causes_of).second)
          reasons.push_back(describe_covered_pair(changed_, pairs_[pair], suite_.coverage, test));
      }
    }
    return reasons;
  }

  template <typename Counts>
  void add_rest(Standing standing, const Counts& counts) {
    std::vector<Candidate> candidates;
    std::vector<TestIndex> tests;
    for (TestIndex test = 0; test < suite_.known.size(); ++test) {
      if (is_placed_.contains(test)) continue;
      std::vector<uint32_t> goals;
      for (const uint32_t variable : covered_.variables_of[test])
        if (counts(changed_.variables[variable])) goals.push_back(variable);
      if (goals.empty() && standing != Standing::kRest) continue;
      candidates.push_back({suite_.known[test], {std::move(goals)}});
      tests.push_back(test);
    }
    for (const uint32_t candidate : rank(candidates, seed_)) {
      is_placed_.insert(tests[candidate]);
      RankedTest test{.name = candidates[candidate].name, .standing = standing};
      if (standing == Standing::kVariables)
        test.reasons.push_back(
            fmt::format("covers {} that the change impacts, but not from threads that could race",
                        candidates[candidate].goals[0].size() == 1
                            ? "1 access"
                            : fmt::format("{} accesses", candidates[candidate].goals[0].size())));
      tests_.push_back(std::move(test));
    }
  }

  const ChangedProgram& changed_;
  const std::vector<ImpactedPair>& pairs_;
  const PairCoverage& covered_;
  const Suite& suite_;
  const uint64_t seed_;
  std::set<std::string> near_change_;  // functions
  std::set<TestIndex> is_placed_;
  std::vector<RankedTest> tests_;
};

}  // namespace

bool is_direct(const ChangedProgram& changed, const ImpactedPair& pair) {
  const auto is = [&](uint32_t variable) {
    return variable != kNone && changed.variables[variable].is_impacted() &&
           changed.variables[variable].rule != Rule::kSlice;
  };
  return is(pair.first) || is(pair.second);
}

std::vector<RankedTest> order_tests(const ChangedProgram& changed, const std::vector<ImpactedPair>& pairs,
                                    const PairCoverage& covered, const Suite& suite, uint64_t seed) {
  return Order(changed, pairs, covered, suite, seed).run();
}

}  // namespace heddle::select
