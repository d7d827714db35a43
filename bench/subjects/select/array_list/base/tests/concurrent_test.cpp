// Several threads: every pair of operations side by side, listeners, and longer scenarios.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>
#include <tuple>

#include "array_list.h"
#include "support.h"

namespace lists {
namespace {

using List = ArrayList<int>;

// Something that a thread does to a shared list again and again. `number` tells the calls apart.
struct Operation {
  const char* name;
  void (*run)(List& list, int number);
};

const Operation kOperations[] = {
    {"Get", [](List& list, int number) { EXPECT_LT(list.get_or(number % 16, 0), 10'000); }},
    {"Set",
     [](List& list, int number) {
       try {
         list.set(number % 8, number);
       } catch (const std::out_of_range&) {
         // Another thread has removed so many elements.
       }
     }},
    {"Add", [](List& list, int number) { list.add(number); }},
    {"AddAll", [](List& list, int number) { list.add_all({number, number + 1, number + 2}); }},
    {"InsertFirst", [](List& list, int number) { list.insert(0, number); }},
    {"Pop", [](List& list, int) { list.pop(); }},
    {"Remove", [](List& list, int number) { list.remove(number % 16); }},
    {"RemoveRange", [](List& list, int number) { list.remove_range(number % 8, number % 8 + 2); }},
    {"RemoveIf",
     [](List& list, int number) {
       list.remove_if([=](int element) { return element % 16 == number % 16; });
     }},
    {"ReplaceAll", [](List& list, int) { list.replace_all([](int element) { return element / 2; }); }},
    {"IndexOf", [](List& list, int number) { EXPECT_FALSE(list.index_of(-1 - number)); }},
    {"Search", [](List& list, int number) { EXPECT_FALSE(list.search(-1 - number)); }},
    {"Sort", [](List& list, int) { list.sort(); }},
    {"Reverse", [](List& list, int) { list.reverse(); }},
    {"Rotate", [](List& list, int number) { list.rotate(number % 5); }},
    {"Reserve", [](List& list, int number) { list.reserve(16 + number); }},
    {"Trim", [](List& list, int) { list.trim(); }},
    {"ForEach", [](List& list, int) { list.for_each([](int element) { EXPECT_GE(element, 0); }); }},
    {"ToVector", [](List& list, int) { EXPECT_LT(list.to_vector().size(), 1000U); }},
    {"ReadPart",
     [](List& list, int) {
       try {
         const auto part = list.sub_list(1, 4);
         EXPECT_EQ(part.size(), 3U);
         part.get(2);
       } catch (const ConcurrentModification&) {
         // Another thread was faster: what a part of a list is allowed to say.
       } catch (const std::out_of_range&) {
       }
     }},
    {"WritePart",
     [](List& list, int number) {
       try {
         auto part = list.sub_list(0, 2);
         part.set(1, number);
         part.add(number);
       } catch (const ConcurrentModification&) {
       } catch (const std::out_of_range&) {
       }
     }},
    {"Clear", [](List& list, int) { list.clear(); }},
};
constexpr int kOperationCount = std::size(kOperations);

int index_of(const std::string& name) {
  const auto named = [&](const Operation& operation) { return operation.name == name; };
  return static_cast<int>(std::find_if(std::begin(kOperations), std::end(kOperations), named) - kOperations);
}

// Threads with an even index run the first operation, the others the second one.
class Pairs : public testing::TestWithParam<std::tuple<int, int, int>> {};

TEST_P(Pairs, LeaveTheListSound) {
  const auto [first, second, threads] = GetParam();
  List list = {5, 3, 9, 1, 7, 2, 8, 4};
  run_threads(threads, [&, first = first, second = second](int index) {
    const Operation& operation = kOperations[index % 2 == 0 ? first : second];
    for (int round = 0; round < 4; ++round) operation.run(list, index * 5 + round * 7);
  });
  EXPECT_NO_THROW(list.check_invariants());
}

std::string pair_name(const testing::TestParamInfo<Pairs::ParamType>& info) {
  const auto& [first, second, threads] = info.param;
  return std::string(kOperations[first].name) + "And" + kOperations[second].name + "In" +
         std::to_string(threads);
}

std::vector<Pairs::ParamType> all_pairs() {
  std::vector<Pairs::ParamType> pairs;
  for (int first = 0; first < kOperationCount; ++first) {
    for (int second = first; second < kOperationCount; ++second) {
      pairs.emplace_back(first, second, (first + second) % 9 == 0 ? 4 : 2);
    }
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(All, Pairs, testing::ValuesIn(all_pairs()), pair_name);

// Readers beside writers, with more threads.
std::vector<Pairs::ParamType> readers_and_writers() {
  std::vector<Pairs::ParamType> pairs;
  for (const char* reader : {"Get", "IndexOf", "Search", "ForEach", "ReadPart", "Reserve"}) {
    for (const char* writer :
         {"Set", "Add", "Remove", "Sort", "AddAll", "Reverse", "Rotate", "ReplaceAll", "WritePart"}) {
      for (const int threads : {3, 5, 8, 12}) pairs.emplace_back(index_of(reader), index_of(writer), threads);
    }
  }
  return pairs;
}

INSTANTIATE_TEST_SUITE_P(Many, Pairs, testing::ValuesIn(readers_and_writers()), pair_name);

// One thread registers listeners, the others change the list.
class Listening : public testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(Listening, ListenersComeAndGo) {
  const auto [name, threads] = GetParam();
  const Operation& operation = kOperations[index_of(name)];
  List list = {5, 3, 9, 1, 7, 2, 8, 4};
  std::atomic<int> heard = 0;
  run_threads(threads, [&](int index) {
    for (int round = 0; round < 3; ++round) {
      if (index == 0) {
        const auto id = list.listeners().add([&](const Change&) { heard.fetch_add(1); });
        EXPECT_TRUE(list.listeners().remove(id));
      } else {
        operation.run(list, index * 5 + round);
      }
    }
  });
  EXPECT_LE(heard.load(), 2 * 3 * threads);
  EXPECT_EQ(list.listeners().count(), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, Listening,
                         testing::Combine(testing::Values("Set", "Add", "Pop", "Remove", "Sort"),
                                          testing::Values(2, 5, 9)),
                         [](const auto& info) {
                           return std::get<0>(info.param) + "In" + std::to_string(std::get<1>(info.param));
                         });

// Every thread registers listeners of its own.
class Registering : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(Registering, EachThreadRemovesItsOwn) {
  const auto [threads, each] = GetParam();
  Listeners listeners;
  run_threads(threads, [&, each = each](int) {
    std::vector<Listeners::Id> ids;
    for (int i = 0; i < each; ++i) ids.push_back(listeners.add([](const Change&) {}));
    for (const auto id : ids) EXPECT_TRUE(listeners.remove(id));
  });
  EXPECT_EQ(listeners.count(), 0U);
}

INSTANTIATE_TEST_SUITE_P(All, Registering,
                         testing::Combine(testing::Values(2, 4, 8, 16), testing::Values(1, 3)),
                         [](const auto& info) {
                           return std::to_string(std::get<0>(info.param)) + "Threads" +
                                  std::to_string(std::get<1>(info.param)) + "Each";
                         });

class Crowd : public testing::TestWithParam<int> {};

TEST_P(Crowd, EveryElementIsAddedOnce) {
  List list;
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 10; ++i) list.add(index * 10 + i);
  });
  list.sort();
  std::vector<int> expected(GetParam() * 10);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(list.to_vector(), expected);
}

TEST_P(Crowd, EveryElementIsPoppedOnce) {
  List list;
  for (int i = 0; i < 40; ++i) list.add(i);
  std::vector<int> sums(GetParam(), 0);
  run_threads(GetParam(), [&](int index) {
    while (const auto element = list.pop()) sums[index] += *element;
  });
  EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0), 780);
}

TEST_P(Crowd, BulkAdditionsStayTogether) {
  List list;
  run_threads(GetParam(), [&](int index) { list.add_all({index, index, index}); });
  const auto elements = list.to_vector();
  ASSERT_EQ(elements.size(), GetParam() * 3U);
  for (std::size_t i = 0; i < elements.size(); i += 3) EXPECT_EQ(elements[i], elements[i + 2]);
}

TEST_P(Crowd, ChangesAreAllNotified) {
  List list;
  run_threads(GetParam(), [&](int) {
    for (int i = 0; i < 5; ++i) list.add(i);
  });
  EXPECT_EQ(list.listeners().notifications(), GetParam() * 5U);
}

TEST_P(Crowd, SwapsInBothDirectionsDoNotBlock) {
  List left = {1};
  List right;
  run_threads(GetParam(), [&](int index) {
    for (int i = 0; i < 4; ++i) {
      if (index % 2 == 0) {
        left.swap(right);
      } else {
        right.swap(left);
      }
    }
  });
  EXPECT_EQ(left.size() + right.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Threads, Crowd, testing::Values(2, 3, 5, 8, 16),
                         [](const auto& info) { return std::to_string(info.param); });

}  // namespace
}  // namespace lists
