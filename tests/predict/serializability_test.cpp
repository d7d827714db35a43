// The check of serializability against brute force, and what the fourteen patterns say against the check.
#include "predict/serializability.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "predict/patterns.h"

namespace heddle {
namespace {

using History = std::vector<Access>;

// Some order of the units, one after the other, has every two accesses of a thread and every two that
// conflict in the order of the history.
bool is_serializable(const History& history) {
  std::set<uint32_t> units;
  std::set<std::pair<uint32_t, uint32_t>> before;
  for (size_t i = 0; i < history.size(); ++i) {
    units.insert(history[i].unit);
    for (size_t j = 0; j < i; ++j) {
      if (history[i].unit == history[j].unit) continue;
      if (history[i].thread == history[j].thread || history[j].conflicts_with(history[i]))
        before.insert({history[j].unit, history[i].unit});
    }
  }
  std::vector<uint32_t> order(units.begin(), units.end());
  do {
    bool fits = true;
    for (size_t i = 0; i < order.size() && fits; ++i)
      for (size_t j = 0; j < i && fits; ++j) fits = !before.contains({order[i], order[j]});
    if (fits) return true;
  } while (std::ranges::next_permutation(order).found);
  return false;
}

TEST(Serializability, AgreesWithEveryOrderOfUnits) {
  std::mt19937_64 random(1);
  SerializabilityChecker checker;
  int serializable = 0;
  constexpr int kHistories = 20'000;
  for (int round = 0; round < kHistories; ++round) {
    const uint32_t threads = 2 + random() % 3;
    const uint32_t locations = 1 + random() % 3;
    std::map<uint32_t, uint32_t> unit_of;
    uint32_t units = 0;
    History history;
    for (uint32_t i = 0; i < 4 + random() % 9; ++i) {
      const auto thread = static_cast<uint32_t>(random() % threads);
      if (!unit_of.contains(thread) || (units < 6 && random() % 3 == 0)) unit_of[thread] = units++;
      history.push_back({.event = i,
                         .thread = thread,
                         .location = static_cast<uint32_t>(random() % locations),
                         .unit = unit_of[thread],
                         .bytes = static_cast<uint8_t>(random() % 4 == 0 ? 1 + random() % 3 : 3),
                         .does = static_cast<uint8_t>(1 + random() % 3)});
    }
    const bool expected = is_serializable(history);
    serializable += expected;
    ASSERT_EQ(checker.check(history).empty(), expected) << "round " << round;
  }
  EXPECT_GT(serializable, kHistories / 10);
  EXPECT_LT(serializable, kHistories * 9 / 10);
}

TEST(Serializability, SaysWhichAccessesCloseTheCycle) {
  // Write skew: each reads what the other writes.
  const History history = {
      {.event = 0, .thread = 1, .location = 0, .unit = 0, .bytes = 1, .does = Access::kReads},
      {.event = 1, .thread = 2, .location = 1, .unit = 1, .bytes = 1, .does = Access::kReads},
      {.event = 2, .thread = 1, .location = 1, .unit = 0, .bytes = 1, .does = Access::kWrites},
      {.event = 3, .thread = 2, .location = 0, .unit = 1, .bytes = 1, .does = Access::kWrites}};
  const std::vector<UnitCycle> cycles = SerializabilityChecker().check(history);
  ASSERT_EQ(cycles.size(), 1u);
  EXPECT_EQ(cycles[0].earlier, 0u);
  EXPECT_EQ(cycles[0].later, 3u);
}

TEST(Serializability, FindsACycleOfThreeUnits) {
  History history;
  for (uint32_t i = 0; i < 3; ++i)
    history.push_back(
        {.event = i, .thread = i, .location = i, .unit = i, .bytes = 1, .does = Access::kReads});
  for (uint32_t i = 0; i < 3; ++i)
    history.push_back({.event = 3 + i,
                       .thread = i,
                       .location = (i + 1) % 3,
                       .unit = i,
                       .bytes = 1,
                       .does = Access::kWrites});
  EXPECT_FALSE(SerializabilityChecker().check(history).empty());
  history.pop_back();
  EXPECT_TRUE(SerializabilityChecker().check(history).empty());
}

// All units of up to `length` accesses to the locations of a set that write all of them or none.
std::vector<std::vector<PatternStep>> whole_units(size_t length, uint8_t locations) {
  std::vector<std::vector<PatternStep>> all{{}};
  std::vector<std::vector<PatternStep>> units;
  for (size_t i = 0; i < length; ++i) {
    std::vector<std::vector<PatternStep>> longer;
    for (const auto& shorter : all) {
      for (const bool writes : {false, true}) {
        for (uint8_t location = 0; location < locations; ++location) {
          longer.push_back(shorter);
          longer.back().push_back({false, writes, location});
        }
      }
    }
    all = std::move(longer);
    for (const auto& unit : all) {
      const auto writes = [&](uint8_t location) {
        return std::ranges::any_of(
            unit, [&](const PatternStep& step) { return step.writes && step.location == location; });
      };
      if (locations == 1 || writes(0) == writes(1)) units.push_back(unit);
    }
  }
  return units;
}

// The patterns that are part of what two units did, with either of them as u, and either location as l1.
std::set<uint32_t> patterns_in(const std::vector<PatternStep>& steps) {
  std::set<uint32_t> found;
  for (const AccessPattern& pattern : access_patterns()) {
    for (const bool swap_units : {false, true}) {
      for (const uint8_t swap_locations : {uint8_t{0}, uint8_t{1}}) {
        size_t done = 0;
        for (PatternStep step : steps) {
          step.is_other ^= swap_units;
          step.location ^= swap_locations;
          if (done < pattern.length && step == pattern.steps[done]) ++done;
        }
        if (done == pattern.length) found.insert(pattern.number);
      }
    }
  }
  return found;
}

// Section 3 of ALGORITHMS: when every unit that writes an atomic set writes all of it, the fourteen patterns
// catch every history of two units that is not serializable, and nothing else; and each of them is needed.
class WholeUnits : public testing::TestWithParam<uint8_t> {};
INSTANTIATE_TEST_SUITE_P(Locations, WholeUnits, testing::Values(1, 2));

TEST_P(WholeUnits, ShowPatternsExactlyIfTheyAreNotSerializable) {
  const std::vector<std::vector<PatternStep>> units = whole_units(3, GetParam());
  SerializabilityChecker checker;
  std::set<uint32_t> needed;
  int histories = 0;
  for (const auto& mine : units) {
    for (const auto& theirs : units) {
      std::vector<bool> turns(mine.size() + theirs.size());
      std::fill(turns.begin() + static_cast<ptrdiff_t>(mine.size()), turns.end(), true);
      do {
        std::vector<PatternStep> steps;
        History history;
        size_t next[2] = {0, 0};
        for (const bool is_other : turns) {
          PatternStep step = (is_other ? theirs : mine)[next[is_other]++];
          step.is_other = is_other;
          steps.push_back(step);
          history.push_back({.event = static_cast<EventIndex>(history.size()),
                             .thread = is_other,
                             .location = step.location,
                             .unit = is_other,
                             .bytes = 1,
                             .does = step.writes ? Access::kWrites : Access::kReads});
        }
        const std::set<uint32_t> found = patterns_in(steps);
        const bool serializable = checker.check(history).empty();
        ASSERT_EQ(found.empty(), serializable);
        ASSERT_EQ(serializable, is_serializable(history));
        if (found.size() == 1) needed.insert(*found.begin());
        ++histories;
      } while (std::next_permutation(turns.begin(), turns.end()));
    }
  }
  const std::set<uint32_t> one_location{1, 2, 3, 4, 5};
  const std::set<uint32_t> two_locations{6, 7, 8, 9, 10, 11, 12, 13, 14};
  EXPECT_TRUE(std::ranges::includes(needed, GetParam() == 1 ? one_location : two_locations));
  EXPECT_GT(histories, GetParam() == 1 ? 1000 : 7900);
}

}  // namespace
}  // namespace heddle
