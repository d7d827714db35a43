// The example of the SimRT paper (its figure 1), translated to C++: what each step of the selection makes of
// it is as the paper says.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "select/coverage.h"
#include "select/matcher.h"
#include "select/order.h"
#include "select/selector.h"
#include "two_versions.h"

namespace heddle::select {
namespace {

constexpr const char* kHeader = R"(#pragma once
#include <mutex>
struct Entry { Entry* next; };
class HM {
 public:
  HM(int capacity, float load);
  bool containsValue(const HM* value);
  bool containsNull();
  void clear();
 private:
  static constexpr int kLength = 16;
  Entry** table;
  int modCount;
  std::mutex mutex;
};
)";

constexpr const char* kBefore = R"(#include "hm.h"
bool HM::containsValue(const HM* value) {
  Entry** tab = table;
  int found = 0;
  if (value == nullptr) {
    for (int i = kLength; i > 0; --i)
      found += i;
  } else {
    found += 1;
    return true;
  }
  return false;
}

void HM::clear() {
  int cleared = 0;
  {
    std::lock_guard<std::mutex> guard(mutex);
    Entry** tab = table;
    for (int i = 0; i < kLength; i++)
      tab[i] = nullptr;
  }
  cleared++;
}
)";

constexpr const char* kAfter = R"(#include "hm.h"
bool HM::containsValue(const HM* value) {
  Entry** tab = table;
  int found = 0;
  if (value == nullptr) {
    for (int i = 0; i < kLength; i++)
      found += i;
  } else {
    found += 1;
    return containsNull();
  }
  return false;
}

bool HM::containsNull() {
  Entry** tab = table;
  for (int i = 0; i < kLength; i++)
    for (Entry* e = tab[i]; e != nullptr; e = e->next)
      return true;
  return false;
}

void HM::clear() {
  int cleared = 0;
  {
    std::lock_guard<std::mutex> guard(mutex);
    Entry** tab = table;
    for (int i = 0; i < kLength; i++)
      tab[i] = nullptr;
  }
  modCount++;
  cleared++;
}
)";

constexpr const char* kDriver = R"(#include <thread>
#include "hm.h"
HM::HM(int, float) : table(new Entry*[kLength]), modCount(0) {}
static void work(HM* hm, int which) {
  if (which == 0) hm->clear();
  if (which == 1) hm->containsValue(hm);
  if (which == 3) hm->containsValue(nullptr);
}
int main(int argc, char**) {
  HM hm(argc, 1.0f);
  std::thread a([&] { work(&hm, argc); });
  std::thread b([&] { work(&hm, argc + 1); });
  a.join();
  b.join();
}
)";

const ChangedProgram& example() {
  static const TwoVersions kVersions({{"hm.h", kHeader}, {"hm.cpp", kBefore}, {"main.cpp", kDriver}},
                                     {{"hm.h", kHeader}, {"hm.cpp", kAfter}, {"main.cpp", kDriver}});
  return kVersions.changed();
}

// The paper's blocks of the old program, by the line that they begin with.
constexpr uint32_t kContainsValue1 = 3;
constexpr uint32_t kContainsValue2 = 6;
constexpr uint32_t kContainsValue4 = 9;
constexpr uint32_t kClear3 = 19;
constexpr uint32_t kClear4 = 21;
constexpr uint32_t kClear5 = 23;

TEST(HashMap, SharedVariablesAreThePapersWithTheirOldBlocksAndImpact) {
  const TwoVersions versions({{"hm.h", kHeader}, {"hm.cpp", kBefore}, {"main.cpp", kDriver}},
                             {{"hm.h", kHeader}, {"hm.cpp", kAfter}, {"main.cpp", kDriver}});
  const std::vector<std::string> expected = {
      "read Entry::next 18 <- HM::containsValue 10 rule 2",  // SV4
      "read HM::modCount 31 <- HM::clear 23 rule 1",         // SV7
      "read HM::table 16 <- HM::containsValue 10 rule 2",    // SV2
      "read HM::table 27 <- HM::clear 19",                   // SV5
      "read HM::table 3 <- HM::containsValue 3",             // SV1
      "read HM::table[] 18 <- HM::containsValue 10 rule 2",  // SV3
      "write HM::modCount 31 <- HM::clear 23 rule 1",        // SV8
      "write HM::table[] 29 <- HM::clear 21",                // SV6
  };
  EXPECT_EQ(versions.variables("hm.cpp"), expected);
}

// A record of a test of which each thread has executed some blocks.
TestRecord record(const std::vector<std::pair<const char*, std::vector<uint32_t>>>& threads) {
  FunctionActivity activity;
  activity.file = "hm.cpp";
  std::map<uint32_t, std::set<std::string>> lines;
  for (const auto& [thread, blocks] : threads)
    for (const uint32_t block : blocks) lines[block].insert(thread);
  for (const auto& [line, names] : lines) {
    ThreadSet set{{names.begin(), names.end()}, static_cast<uint32_t>(names.size())};
    activity.blocks.push_back({line, 1, static_cast<uint32_t>(activity.thread_sets.size())});
    activity.thread_sets.push_back(std::move(set));
  }
  TestRecord result;
  result.threads = 3;
  result.functions.push_back(std::make_shared<FunctionActivity>(std::move(activity)));
  return result;
}

Coverage history() {
  const std::vector<uint32_t> clear = {kClear3, kClear4, kClear5};
  const std::vector<uint32_t> value = {kContainsValue1, kContainsValue4};
  const std::vector<uint32_t> null = {kContainsValue1, kContainsValue2};
  Coverage coverage;
  coverage.add(0, record({{"1", clear}, {"2", value}}));
  coverage.add(1, record({{"1", clear}, {"2", value}}));
  coverage.add(2, record({{"1", clear}, {"2", clear}}));
  coverage.add(3, record({{"1", {kClear3, kClear5}}, {"2", null}}));
  coverage.add(4, record({{"1", value}, {"2", value}}));
  coverage.add(5, record({{"1", null}, {"2", null}}));
  coverage.finish();
  return coverage;
}

std::set<std::string> pair_names(const ChangedProgram& changed, const std::vector<ImpactedPair>& pairs) {
  std::set<std::string> names;
  for (const ImpactedPair& pair : pairs) {
    const auto name = [&](uint32_t i) {
      const SharedVariable& it = changed.variables[i];
      return std::string(it.is_write ? "write " : "read ") + std::to_string(it.line);
    };
    names.insert(name(pair.first) + " / " + name(pair.second));
  }
  return names;
}

TEST(HashMap, ThreePairsCanRace) {
  const std::vector<ImpactedPair> pairs = match(example().variables);
  EXPECT_EQ(pair_names(example(), pairs),
            (std::set<std::string>{"read 18 / write 29", "read 31 / write 31", "write 31 / write 31"}));
  EXPECT_EQ(pairs.size(), 3u);
}

TEST(HashMap, ThreeTestsAreSelectedAndAllSixOrdered) {
  const ChangedProgram& changed = example();
  const std::vector<ImpactedPair> pairs = match(changed.variables);
  const PairCoverage covered = cover_pairs(changed.variables, changed.old_blocks, pairs, history());
  std::vector<uint32_t> selected;
  for (uint32_t test = 0; test < 6; ++test)
    if (!covered.pairs_of[test].empty()) selected.push_back(test);
  EXPECT_EQ(selected, (std::vector<uint32_t>{0, 1, 2}));  // T' = {tc1, tc2, tc3}
  EXPECT_TRUE(covered.uncovered.empty());

  const Suite suite{history(), {"tc1", "tc2", "tc3", "tc4", "tc5", "tc6"}, {}};
  std::set<std::string> first_ones;
  for (uint64_t seed = 1; seed <= 8; ++seed) {
    std::vector<std::string> order;
    for (const RankedTest& test : order_tests(changed, pairs, covered, suite, seed))
      order.push_back(test.name);
    ASSERT_EQ(order.size(), 6u);
    EXPECT_EQ(order[0], "tc3");
    // The paper leaves these two to chance.
    first_ones.insert(order[1]);
    EXPECT_EQ((std::set<std::string>{order[1], order[2]}), (std::set<std::string>{"tc1", "tc2"}));
    EXPECT_EQ((std::vector<std::string>{order[3], order[4], order[5]}),
              (std::vector<std::string>{"tc5", "tc4", "tc6"}));
  }
  EXPECT_EQ(first_ones.size(), 2u) << "the seed decides";
}

// What the paper calls the benefit of thread ids in the history.
TEST(HashMap, WithoutThreadsATestThatCoversBothInOneIsSelectedToo) {
  const ChangedProgram& changed = example();
  const std::vector<ImpactedPair> pairs = match(changed.variables);
  const PairCoverage covered =
      cover_pairs(changed.variables, changed.old_blocks, pairs, history(), {.by_thread = false});
  EXPECT_FALSE(covered.pairs_of[3].empty());  // tc4 clears in one thread only
  EXPECT_TRUE(covered.pairs_of[5].empty());
}

}  // namespace
}  // namespace heddle::select
