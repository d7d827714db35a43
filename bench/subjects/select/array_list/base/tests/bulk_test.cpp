// One thread: operations on many elements, for lists of many sizes and orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>

#include "array_list.h"
#include "support.h"

namespace lists {
namespace {

using List = ArrayList<int>;

enum class Order { kAscending, kDescending, kMixed, kEqual };

std::string name_of(Order order) {
  const char* const names[] = {"Ascending", "Descending", "Mixed", "Equal"};
  return names[static_cast<int>(order)];
}

class Bulk : public testing::TestWithParam<std::tuple<Order, int>> {
 protected:
  void SetUp() override {
    const auto [order, size] = GetParam();
    Random random(size + 1);
    for (int i = 0; i < size; ++i) {
      switch (order) {
        case Order::kAscending:
          elements_.push_back(i);
          break;
        case Order::kDescending:
          elements_.push_back(size - i);
          break;
        case Order::kMixed:
          elements_.push_back(random.below(size));
          break;
        case Order::kEqual:
          elements_.push_back(5);
          break;
      }
    }
    list_.add_all(elements_);
  }

  List list_;
  std::vector<int> elements_;
};

TEST_P(Bulk, SortPutsInOrder) {
  list_.sort();
  std::sort(elements_.begin(), elements_.end());
  EXPECT_EQ(list_.to_vector(), elements_);
  list_.check_invariants();
}

TEST_P(Bulk, SearchFindsWhatIsThere) {
  list_.sort();
  for (const int element : elements_) EXPECT_TRUE(list_.search(element));
  EXPECT_FALSE(list_.search(-1));
}

TEST_P(Bulk, ReverseTwiceIsNothing) {
  list_.reverse();
  list_.reverse();
  EXPECT_EQ(list_.to_vector(), elements_);
}

TEST_P(Bulk, RotatingOnceAroundIsNothing) {
  for (int i = 0; i < 7; ++i) list_.rotate(elements_.size() / 7);
  list_.rotate(elements_.size() % 7);
  EXPECT_EQ(list_.to_vector(), elements_);
}

TEST_P(Bulk, RemoveIfKeepsTheOrderOfTheRest) {
  const auto odd = [](int element) { return element % 2 != 0; };
  list_.remove_if(odd);
  elements_.erase(std::remove_if(elements_.begin(), elements_.end(), odd), elements_.end());
  EXPECT_EQ(list_.to_vector(), elements_);
}

TEST_P(Bulk, ReplaceAllReachesEach) {
  list_.replace_all([](int element) { return 2 * element; });
  int sum = 0;
  list_.for_each([&](int element) { sum += element; });
  EXPECT_EQ(sum, 2 * std::accumulate(elements_.begin(), elements_.end(), 0));
}

TEST_P(Bulk, RemoveRangeTakesTheMiddle) {
  const std::size_t third = elements_.size() / 3;
  EXPECT_EQ(list_.remove_range(third, 2 * third), third);
  elements_.erase(elements_.begin() + static_cast<std::ptrdiff_t>(third),
                  elements_.begin() + static_cast<std::ptrdiff_t>(2 * third));
  EXPECT_EQ(list_.to_vector(), elements_);
}

TEST_P(Bulk, InsertAllInTheMiddle) {
  list_.insert_all(elements_.size() / 2, {100, 200});
  elements_.insert(elements_.begin() + static_cast<std::ptrdiff_t>(elements_.size() / 2), {100, 200});
  EXPECT_EQ(list_.to_vector(), elements_);
}

TEST_P(Bulk, PartHasTheElementsBetween) {
  const std::size_t half = elements_.size() / 2;
  const auto part = list_.sub_list(half / 2, half);
  EXPECT_EQ(part.to_vector(), std::vector<int>(elements_.begin() + static_cast<std::ptrdiff_t>(half / 2),
                                               elements_.begin() + static_cast<std::ptrdiff_t>(half)));
}

INSTANTIATE_TEST_SUITE_P(Lists, Bulk,
                         testing::Combine(testing::Values(Order::kAscending, Order::kDescending,
                                                          Order::kMixed, Order::kEqual),
                                          testing::Values(0, 1, 2, 9, 50, 120)),
                         [](const auto& info) {
                           return name_of(std::get<0>(info.param)) + std::to_string(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace lists
