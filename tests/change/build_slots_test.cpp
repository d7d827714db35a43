// Slots for builds: what is believed of them, and which one is taken.
#include "change/build_slots.h"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <vector>

#include "../trace/temp_folder.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kConfiguration = 7;
using Files = std::map<std::string, std::string>;

class Slots : public ::testing::Test {
 protected:
  fs::path folder() const { return folder_.path() / "builds"; }

  BuildSlot take(uint64_t build, const Files& files = {}, uint64_t configuration = kConfiguration) {
    Expected<BuildSlot> slot = BuildSlots(folder()).take(build, configuration, files, {});
    EXPECT_TRUE(slot.has_value());
    return slot ? *slot : BuildSlot{};
  }

  // Takes a slot and ends the build in it.
  fs::path make(uint64_t build, const Files& files = {}, SlotPhase phase = SlotPhase::kFinished) {
    BuildSlot slot = take(build, files);
    slot.state.build = build;
    slot.state.configuration = kConfiguration;
    slot.state.files.clear();
    for (const auto& [path, id] : files) slot.state.files[path] = {.id = id};
    EXPECT_TRUE(BuildSlots(folder()).finish(&slot, phase).has_value());
    return slot.home;
  }

  trace::TempFolder folder_;
};

TEST_F(Slots, AFinishedBuildIsFoundAgain) {
  const fs::path home = make(1, {{"a b.cpp", "x"}});
  const BuildSlot again = take(1);
  EXPECT_TRUE(again.is_finished);
  EXPECT_EQ(again.home, home);
  EXPECT_EQ(again.state.files.at("a b.cpp").id, "x");
  EXPECT_TRUE(BuildSlots(folder()).find(1).has_value());
  EXPECT_FALSE(BuildSlots(folder()).find(2).has_value());
}

TEST_F(Slots, AFailedOrUnfinishedBuildIsNotFinished) {
  make(1, {}, SlotPhase::kFailed);
  EXPECT_FALSE(take(1).is_finished);
  {
    const BuildSlot cut_off = take(2);
  }
  const BuildSlot again = take(2);
  EXPECT_FALSE(again.is_finished);
  EXPECT_EQ(again.state.phase, SlotPhase::kBuilding);
}

// Compile commands, CMake's cache and debug information all name the folder.
TEST_F(Slots, NothingIsBelievedOfABuildThatWasMadeElsewhere) {
  make(1, {{"a.cpp", "x"}});
  const fs::path before = folder_.path() / "before";
  fs::rename(folder(), before);
  fs::copy(before, folder(), fs::copy_options::recursive);
  EXPECT_TRUE(BuildSlots(folder()).find(1).has_value()) << "it is back where it was";

  fs::rename(folder(), folder_.path() / "elsewhere");
  EXPECT_FALSE(BuildSlots(folder_.path() / "elsewhere").find(1).has_value());
  const Expected<BuildSlot> slot =
      BuildSlots(folder_.path() / "elsewhere").take(1, kConfiguration, {{"a.cpp", "x"}}, {});
  ASSERT_TRUE(slot.has_value());
  EXPECT_FALSE(slot->is_finished);
  EXPECT_NE(slot->state.configuration, kConfiguration);
  EXPECT_TRUE(slot->state.files.empty());
}

TEST_F(Slots, NothingIsBelievedOfADamagedState) {
  const fs::path home = make(1, {{"a.cpp", "x"}});
  for (const std::string damaged : {"", "something else", "heddle build slot 2"}) {
    std::ofstream(home / "state") << damaged;
    EXPECT_FALSE(BuildSlots(folder()).find(1).has_value()) << damaged;
  }
}

TEST_F(Slots, ARevisionIsBuiltWhereTheMostSimilarOneLies) {
  const Files first = {{"a.cpp", "1"}, {"b.cpp", "1"}, {"c.cpp", "1"}};
  const Files second = {{"a.cpp", "2"}, {"b.cpp", "2"}, {"c.cpp", "2"}};
  const fs::path home_of_first = make(1, first);
  const fs::path home_of_second = make(2, second);
  ASSERT_NE(home_of_first, home_of_second);
  Files third = second;
  third["a.cpp"] = "3";
  EXPECT_EQ(make(3, third), home_of_second);
  EXPECT_TRUE(BuildSlots(folder()).find(1).has_value());
  EXPECT_FALSE(BuildSlots(folder()).find(2).has_value()) << "the slot has another build now";
}

TEST_F(Slots, SlotsThatAreInUseStayAsTheyAre) {
  std::vector<BuildSlot> used;
  std::set<fs::path> homes;
  for (uint64_t build = 1; build <= BuildSlots::kKept + 1; ++build) {
    used.push_back(take(build));
    homes.insert(used.back().home);
  }
  EXPECT_EQ(homes.size(), BuildSlots::kKept + 1);
  used.clear();
  make(100);
  EXPECT_FALSE(fs::exists(folder() / "slot-4")) << "one too many, and nobody uses it";
}

}  // namespace
}  // namespace heddle
