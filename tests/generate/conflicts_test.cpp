// Which calls could disturb each other, by hand-written footprints.
#include "generate/conflicts.h"

#include <gtest/gtest.h>

namespace heddle::generate {
namespace {

constexpr uint64_t kSize = 1;
constexpr uint64_t kData = 2;
constexpr uint64_t kMutex = 10;
constexpr uint64_t kOther = 11;

CallAccess access(uint64_t place, uint64_t location, bool writes, std::vector<HeldLock> held = {},
                  bool atomic = false) {
  return {.place = place, .location = location, .writes = writes, .atomic = atomic, .held = std::move(held)};
}

HeldLock in_section(uint32_t section, uint64_t lock = kMutex, bool shared = false) {
  return {.lock = lock, .section = section, .shared = shared};
}

CallFootprint calls(std::vector<CallAccess> accesses) {
  return {.accesses = std::move(accesses), .nested = {}, .waits = {}, .wakes = {}};
}

TEST(Conflicts, OneLockAroundAllOfBothIsNone) {
  const CallFootprint update =
      calls({access(1, kSize, false, {in_section(1)}), access(2, kSize, true, {in_section(1)})});
  EXPECT_TRUE(conflicts_of(update, update).empty());
}

TEST(Conflicts, AnUnlockedWriteRaces) {
  const CallFootprint locked = calls({access(1, kSize, false, {in_section(1)})});
  const CallFootprint bare = calls({access(2, kSize, true)});
  const std::vector<Conflict> found = conflicts_of(locked, bare);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(conflicts_of(bare, locked), found) << "whichever comes first";
}

TEST(Conflicts, ReadsAloneAreNone) {
  EXPECT_TRUE(conflicts_of(calls({access(1, kSize, false)}), calls({access(2, kSize, false)})).empty());
}

TEST(Conflicts, TwoCriticalSectionsLetOthersIn) {
  const CallFootprint check_then_act =
      calls({access(1, kSize, false, {in_section(1)}), access(2, kSize, true, {in_section(2)})});
  const CallFootprint set = calls({access(3, kSize, true, {in_section(1)})});
  EXPECT_FALSE(conflicts_of(check_then_act, set).empty());
}

TEST(Conflicts, AnotherLockKeepsNobodyOut) {
  const CallFootprint one =
      calls({access(1, kSize, false, {in_section(1)}), access(2, kSize, true, {in_section(1)})});
  const CallFootprint other = calls({access(3, kSize, true, {in_section(1, kOther)})});
  EXPECT_FALSE(conflicts_of(one, other).empty());
}

TEST(Conflicts, SharedLocksExcludeWritersOnly) {
  const HeldLock shared = in_section(1, kMutex, true);
  const CallFootprint reader = calls({access(1, kSize, false, {shared})});
  EXPECT_TRUE(conflicts_of(reader, calls({access(2, kSize, true, {in_section(1)})})).empty());
  EXPECT_FALSE(conflicts_of(reader, calls({access(2, kSize, true, {shared})})).empty());
}

TEST(Conflicts, OneAtomicAccessIsNotDisturbedButTwoAre) {
  const CallFootprint load = calls({access(1, kSize, false, {}, true)});
  const CallFootprint store = calls({access(2, kSize, true, {}, true)});
  EXPECT_TRUE(conflicts_of(load, store).empty());
  const CallFootprint load_store =
      calls({access(1, kSize, false, {}, true), access(3, kSize, true, {}, true)});
  EXPECT_FALSE(conflicts_of(load_store, store).empty());
}

TEST(Conflicts, TwoLocationsAreSeenApart) {
  const CallFootprint reads_both =
      calls({access(1, kSize, false, {in_section(1)}), access(2, kData, false, {in_section(2)})});
  const CallFootprint writes_both =
      calls({access(3, kSize, true, {in_section(1)}), access(4, kData, true, {in_section(1)})});
  EXPECT_FALSE(conflicts_of(reads_both, writes_both).empty());
}

TEST(Conflicts, LocksTakenInOppositeOrders) {
  CallFootprint one;
  one.nested = {{kMutex, kOther}};
  CallFootprint other;
  other.nested = {{kOther, kMutex}};
  EXPECT_EQ(conflicts_of(one, other).size(), 1U);
  EXPECT_TRUE(conflicts_of(one, one).empty());
}

TEST(Conflicts, WhoWaitsAndWhoWakes) {
  CallFootprint waits;
  waits.waits = {9};
  CallFootprint wakes;
  wakes.wakes = {9};
  EXPECT_EQ(conflicts_of(waits, wakes).size(), 1U);
  EXPECT_TRUE(conflicts_of(wakes, wakes).empty());
}

TEST(Conflicts, WhatIsChangedWhileACallWaitsIsSeenByIt) {
  CallFootprint waits = calls({access(1, kSize, false, {in_section(1)})});
  const CallFootprint put = calls({access(2, kSize, true, {in_section(1)})});
  const CallFootprint try_put = calls({access(3, kSize, true, {in_section(1)})});
  EXPECT_TRUE(conflicts_of(waits, put).empty());
  waits.waits = {9};
  EXPECT_EQ(conflicts_of(waits, put).size(), 1U);
  EXPECT_NE(conflicts_of(waits, put), conflicts_of(waits, try_put)) << "each place for itself";
  EXPECT_EQ(conflicts_of(waits, waits).size(), 1U) << "only that both wait";
}

}  // namespace
}  // namespace heddle::generate
