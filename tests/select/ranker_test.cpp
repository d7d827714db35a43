#include "select/ranker.h"

#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "select/apfd.h"

namespace heddle::select {
namespace {

std::vector<std::string> names(const std::vector<Candidate>& candidates, uint64_t seed = 1) {
  std::vector<std::string> result;
  for (const uint32_t i : rank(candidates, seed)) result.push_back(candidates[i].name);
  return result;
}

TEST(Ranker, TakesWhatAddsMostAndStartsAnewWhenNothingIsLeftToAdd) {
  EXPECT_EQ(names({{"small", {{1}}}, {"large", {{1, 2, 3}}}, {"other", {{3, 4}}}}),
            (std::vector<std::string>{"large", "other", "small"}));
  EXPECT_EQ(names({{"a", {{1, 2}}}, {"b", {{1, 2, 3}}}, {"c", {{4}}}}),
            (std::vector<std::string>{"b", "c", "a"}));
}

TEST(Ranker, GoalsOfTheFirstClassCountBeforeAnyNumberOfOthers) {
  EXPECT_EQ(names({{"many", {{}, {1, 2, 3, 4}}}, {"one", {{7}, {}}}}),
            (std::vector<std::string>{"one", "many"}));
}

TEST(Ranker, StrengthDecidesAmongThoseThatAddAsMuch) {
  for (uint64_t seed = 0; seed < 5; ++seed) {
    EXPECT_EQ(names({{"weak", {{1, 2}}, 2}, {"strong", {{1, 2}}, 5}, {"more", {{1, 2, 3}}, 1}}, seed),
              (std::vector<std::string>{"more", "strong", "weak"}));
  }
}

TEST(Ranker, ThoseWithoutGoalsComeLastAndTheSeedDecidesAmongEquals) {
  EXPECT_EQ(names({{"none", {{}}}, {"some", {{1}}}}).back(), "none");
  std::set<std::vector<std::string>> orders;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<std::string> order = names({{"a", {{1}}}, {"b", {{1}}}, {"c", {{1}}}}, seed);
    EXPECT_EQ(order, names({{"c", {{1}}}, {"a", {{1}}}, {"b", {{1}}}}, seed))
        << "not the order they are given in";
    orders.insert(order);
  }
  EXPECT_GT(orders.size(), 2u);
}

// As the paper says it, without a queue.
std::vector<uint32_t> naive_rank(const std::vector<Candidate>& candidates, uint64_t seed) {
  std::vector<uint32_t> ties(candidates.size());
  std::vector<Candidate> bare;
  for (const Candidate& candidate : candidates) bare.push_back({candidate.name, {{}}});
  const std::vector<uint32_t> by_tie = rank(bare, seed);
  for (uint32_t i = 0; i < by_tie.size(); ++i) ties[by_tie[i]] = i;
  std::vector<uint32_t> order;
  std::set<uint32_t> covered;
  std::set<uint32_t> left;
  for (uint32_t i = 0; i < candidates.size(); ++i) left.insert(i);
  bool is_fresh = true;
  while (!left.empty()) {
    uint32_t best = *left.begin();
    const auto gain = [&](uint32_t i) {
      const auto& goals = candidates[i].goals[0];
      return std::count_if(goals.begin(), goals.end(),
                           [&](uint32_t goal) { return !covered.contains(goal); });
    };
    for (const uint32_t i : left)
      if (gain(i) > gain(best) || (gain(i) == gain(best) && ties[i] < ties[best])) best = i;
    if (gain(best) == 0 && !is_fresh) {
      covered.clear();
      is_fresh = true;
      continue;
    }
    is_fresh = false;
    if (gain(best) == 0) is_fresh = true;
    covered.insert(candidates[best].goals[0].begin(), candidates[best].goals[0].end());
    order.push_back(best);
    left.erase(best);
  }
  return order;
}

TEST(Ranker, IsTheGreedyOrderOnRandomCandidates) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<Candidate> candidates;
    const uint32_t count = 1 + random() % 12;
    for (uint32_t i = 0; i < count; ++i) {
      std::set<uint32_t> goals;
      for (uint32_t g = random() % 6; g > 0; --g) goals.insert(random() % 10);
      candidates.push_back({"t" + std::to_string(i), {{goals.begin(), goals.end()}}});
    }
    EXPECT_EQ(rank(candidates, round), naive_rank(candidates, round)) << round;
  }
}

TEST(Apfd, IsThePapersFormula) {
  EXPECT_DOUBLE_EQ(apfd(10, {1}), 95.0);
  EXPECT_DOUBLE_EQ(apfd(10, {10}), 5.0);
  EXPECT_DOUBLE_EQ(apfd(4, {1, 2}), 100 * (1 - 3.0 / 8 + 1.0 / 8));
  EXPECT_DOUBLE_EQ(apfd(4, {}), 0);
}

}  // namespace
}  // namespace heddle::select
