#include "orders.h"

#include <gtest/gtest.h>

namespace heddle::bench {
namespace {

Race race(uint32_t line) {
  return {{"a.cpp", line, "f"}, {"a.cpp", line, "f"}};
}

TestOutcomes outcomes(const std::map<std::string, std::set<Race>>& races) {
  TestOutcomes result;
  for (const auto& [test, some] : races) {
    result[test].test = test;
    result[test].races = some;
  }
  return result;
}

KnownTest covering(const std::string& test, const std::vector<uint32_t>& lines) {
  auto function = std::make_shared<FunctionActivity>();
  function->file = "a.cpp";
  function->thread_sets = {{}};
  for (const uint32_t line : lines) function->blocks.push_back({line, 1, 0});
  KnownTest known;
  known.record.key.test = test;
  known.record.functions = {function};
  known.is_of_tree = true;
  return known;
}

TEST(Orders, ApfdCountsTheFirstTestOfEachRace) {
  const TestOutcomes known = outcomes({{"a", {}}, {"b", {race(1)}}, {"c", {race(1), race(2)}}, {"d", {}}});
  const std::set<Race> races{race(1), race(2)};
  // 100 (1 - (2 + 3) / (4 * 2) + 1 / 8)
  EXPECT_DOUBLE_EQ(*apfd_of({"a", "b", "c", "d"}, known, races), 50);
  EXPECT_DOUBLE_EQ(*apfd_of({"c", "a", "b", "d"}, known, races), 87.5);
}

TEST(Orders, ApfdIsOfTheRacesThatCountAndShow) {
  const TestOutcomes known = outcomes({{"a", {race(1), race(7)}}, {"b", {race(2)}}});
  EXPECT_DOUBLE_EQ(*apfd_of({"b", "a"}, known, {race(2), race(3)}), 75);  // 7 was there before, 3 never shows
  EXPECT_FALSE(apfd_of({"a", "b"}, known, {race(3)}));
  EXPECT_FALSE(mean_random_apfd({"a", "b"}, known, {}, 10));
}

TEST(Orders, TheNextTestAddsMostBlocks) {
  const std::vector<KnownTest> history{covering("few", {1}), covering("most", {1, 2, 3}),
                                       covering("another", {4, 5}), covering("same", {2, 3})};
  const TestOrder order = additional_block_order({"few", "most", "another", "same"}, history, 1);
  ASSERT_EQ(order.size(), 4u);
  EXPECT_EQ(order[0], "most");
  EXPECT_EQ(order[1], "another");
  EXPECT_EQ(order[2], "same");  // nothing is new, so all counts again
}

TEST(Orders, ARandomOrderIsThatOfItsSeed) {
  const TestOrder tests{"a", "b", "c", "d", "e", "f", "g"};
  EXPECT_EQ(random_order(tests, 3), random_order({"g", "f", "e", "d", "c", "b", "a"}, 3));
  EXPECT_NE(random_order(tests, 3), random_order(tests, 4));
}

}  // namespace
}  // namespace heddle::bench
