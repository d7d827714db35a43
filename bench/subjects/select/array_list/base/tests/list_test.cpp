// One thread: single elements against std::vector, parts of a list, listeners.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>

#include "array_list.h"
#include "support.h"

namespace lists {
namespace {

using List = ArrayList<int>;

TEST(ArrayList, IsEmptyAtFirst) {
  const List list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.capacity(), List::kDefaultCapacity);
}

TEST(ArrayList, RefusesPositionsBehindTheEnd) {
  List list = {1, 2, 3};
  EXPECT_THROW(list.get(3), std::out_of_range);
  EXPECT_THROW(list.set(3, 0), std::out_of_range);
  EXPECT_THROW(list.remove_at(3), std::out_of_range);
  EXPECT_THROW(list.insert(4, 0), std::out_of_range);
  EXPECT_EQ(list.get_or(3, 9), 9);
}

TEST(ArrayList, InsertsInFrontOfAPosition) {
  List list = {1, 2, 3};
  list.insert(0, 0);
  list.insert(4, 4);
  list.insert_all(2, {7, 8});
  EXPECT_EQ(list.to_vector(), (std::vector<int>{0, 1, 7, 8, 2, 3, 4}));
}

TEST(ArrayList, RemovesTheFirstEqualElement) {
  List list = {1, 2, 1};
  EXPECT_TRUE(list.remove(1));
  EXPECT_FALSE(list.remove(5));
  EXPECT_EQ(list.to_vector(), (std::vector<int>{2, 1}));
}

TEST(ArrayList, PopsFromTheEnd) {
  List list = {1, 2};
  EXPECT_EQ(list.pop(), 2);
  EXPECT_EQ(list.pop(), 1);
  EXPECT_FALSE(list.pop());
}

TEST(ArrayList, FindsFromBothEnds) {
  const List list = {4, 5, 4};
  EXPECT_EQ(list.index_of(4), 0U);
  EXPECT_EQ(list.last_index_of(4), 2U);
  EXPECT_FALSE(list.last_index_of(6));
  EXPECT_TRUE(list.contains(5));
}

TEST(ArrayList, KnowsWhetherItIsInOrder) {
  List list = {3, 1, 2};
  EXPECT_FALSE(list.in_order());
  list.sort();
  EXPECT_TRUE(list.in_order());
  EXPECT_TRUE(list.search(3));
  list.remove_at(0);
  EXPECT_TRUE(list.in_order());
  list.add(0);
  EXPECT_FALSE(list.in_order());
  EXPECT_TRUE(list.search(0));
}

TEST(ArrayList, TrimsToItsSize) {
  List list(100);
  list.add(1);
  list.trim();
  EXPECT_EQ(list.capacity(), 1U);
  list.reserve(50);
  EXPECT_EQ(list.capacity(), 50U);
  EXPECT_EQ(list.get(0), 1);
}

TEST(ArrayList, SwapExchangesTheElements) {
  List left = {1, 2};
  List right = {3};
  left.swap(right);
  left.swap(left);
  EXPECT_EQ(left.to_vector(), std::vector<int>{3});
  EXPECT_FALSE(left.equals(right));
  EXPECT_TRUE(right.equals(right));
}

TEST(ArrayList, TakesStrings) {
  ArrayList<std::string> list;
  for (int i = 0; i < 50; ++i) list.add("element " + std::to_string(i));
  EXPECT_EQ(list.index_of("element 42"), 42U);
}

TEST(SubList, WritesThrough) {
  List list = {0, 1, 2, 3, 4};
  auto part = list.sub_list(1, 4);
  part.set(0, 10);
  part.add(20);
  EXPECT_EQ(part.size(), 4U);
  EXPECT_EQ(part.get(3), 20);
  EXPECT_EQ(list.to_vector(), (std::vector<int>{0, 10, 2, 3, 20, 4}));
  part.clear();
  EXPECT_EQ(list.to_vector(), (std::vector<int>{0, 4}));
}

TEST(SubList, NoticesAModification) {
  List list = {0, 1, 2};
  const auto part = list.sub_list(0, 2);
  list.add(3);
  EXPECT_THROW(part.size(), ConcurrentModification);
  EXPECT_THROW(part.get(0), ConcurrentModification);
  EXPECT_THROW(part.to_vector(), ConcurrentModification);
}

TEST(SubList, RefusesBadBounds) {
  List list = {0, 1, 2};
  EXPECT_THROW(list.sub_list(2, 1), std::invalid_argument);
  EXPECT_THROW(list.sub_list(0, 4), std::out_of_range);
}

TEST(Listeners, HearEveryChange) {
  List list;
  std::vector<ChangeKind> heard;
  const auto id = list.listeners().add([&](const Change& change) { heard.push_back(change.kind); });
  list.add(2);
  list.add(1);
  list.set(0, 3);
  list.sort();
  list.clear();
  EXPECT_EQ(heard, (std::vector<ChangeKind>{ChangeKind::kAdded, ChangeKind::kAdded, ChangeKind::kReplaced,
                                            ChangeKind::kReordered, ChangeKind::kRemoved}));
  EXPECT_TRUE(list.listeners().remove(id));
  EXPECT_FALSE(list.listeners().remove(id));
  list.add(1);
  EXPECT_EQ(heard.size(), 5U);
  EXPECT_EQ(list.listeners().notifications(), 6U);
}

TEST(Listeners, MayChangeTheList) {
  List list;
  list.listeners().add([&](const Change& change) {
    if (change.kind == ChangeKind::kAdded && change.position < 3) list.add(7);
  });
  list.add(1);
  EXPECT_EQ(list.size(), 4U);
}

// Operations drawn at random do to the list what they do to a std::vector.
class Model : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Model, BehavesLikeAVector) {
  const auto [capacity, seed] = GetParam();
  Random random(seed);
  List list(capacity);
  std::vector<int> model;
  for (int step = 0; step < 250; ++step) {
    const int value = random.below(30);
    const auto position = static_cast<std::size_t>(random.below(static_cast<int>(model.size()) + 1));
    const auto place = model.begin() + static_cast<std::ptrdiff_t>(position);
    switch (random.below(9)) {
      case 0:
      case 1:
        list.add(value);
        model.push_back(value);
        break;
      case 2:
        list.insert(position, value);
        model.insert(place, value);
        break;
      case 3:
        if (place == model.end()) break;
        EXPECT_EQ(list.remove_at(position), *place);
        model.erase(place);
        break;
      case 4:
        if (place == model.end()) break;
        EXPECT_EQ(list.set(position, value), *place);
        *place = value;
        break;
      case 5:
        EXPECT_EQ(list.contains(value), std::find(model.begin(), model.end(), value) != model.end());
        break;
      case 6:
        list.reverse();
        std::reverse(model.begin(), model.end());
        break;
      case 7:
        list.rotate(position);
        if (!model.empty())
          std::rotate(model.rbegin(), model.rbegin() + static_cast<std::ptrdiff_t>(position % model.size()),
                      model.rend());
        break;
      default:
        EXPECT_EQ(list.size(), model.size());
    }
  }
  list.check_invariants();
  EXPECT_EQ(list.to_vector(), model);
}

INSTANTIATE_TEST_SUITE_P(Random, Model, testing::Combine(testing::Values(1, 8, 200), testing::Range(1, 31)),
                         [](const auto& info) {
                           return "Capacity" + std::to_string(std::get<0>(info.param)) + "Seed" +
                                  std::to_string(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace lists
