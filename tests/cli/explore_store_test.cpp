// What `heddle explore` remembers, and where it cannot.
#include <unistd.h>

#include "explore_fixture.h"
#include "history/database.h"

namespace heddle {
namespace {

class ExploreStore : public ExploreTest {
 protected:
  Explored explore_in(const std::string& store, const std::string& strategy = "hapset") const {
    return explore("--store " + store + " --strategy " + strategy, "last_zero 4");
  }
};

TEST_F(ExploreStore, WhatHasBeenSeenIsNotLookedForAgain) {
  const Explored first = explore_in("new/folder");
  EXPECT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(std::filesystem::exists(folder_ / "new/folder/history.db"));
  const Explored second = explore_in("new/folder");
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(second["executions"], 1) << second.err;
  EXPECT_GT(first["executions"], 1) << first.err;
}

TEST_F(ExploreStore, CompletenessDoesNotDependOnWhatIsRemembered) {
  for (int i = 0; i < 2; ++i) {
    const Explored explored = explore_in("store", "dpor");
    EXPECT_EQ(explored["complete"], true) << explored.err;
    EXPECT_EQ(explored["interleavings"], 28) << explored.err;
  }
}

TEST_F(ExploreStore, ThatIsDamagedIsLeftAsItIs) {
  std::filesystem::create_directory(folder_ / "store");
  write("store/history.db", "this is no database");
  const Explored explored = explore_in("store");
  EXPECT_EQ(explored.exit_code, 2);
  EXPECT_TRUE(explored.says("the history store/history.db is damaged")) << explored.err;
  EXPECT_TRUE(explored.says("Move it away to begin a new one")) << explored.err;
  EXPECT_EQ(read("store/history.db"), "this is no database");
}

TEST_F(ExploreStore, WhoseFolderCannotBeMade) {
  write("file", "");
  const Explored explored = explore_in("file/store");
  EXPECT_EQ(explored.exit_code, 2);
  EXPECT_TRUE(explored.says("for the history cannot be made: Not a directory")) << explored.err;
}

class LockedStore : public ExploreStore {
 protected:
  void SetUp() override {
    ExploreStore::SetUp();
    ASSERT_EQ(explore_in("store").exit_code, 0);
  }
  std::string file() const { return (folder_ / "store/history.db").string(); }
};

TEST_F(LockedStore, ForWritingCostsTheMemoryButNotTheResult) {
  Database other(file(), Database::Mode::kReadWrite, std::chrono::milliseconds(0));
  other.execute("BEGIN IMMEDIATE");
  const Explored explored = explore_in("store", "dpor");
  EXPECT_EQ(explored.exit_code, 0) << explored.err;
  EXPECT_EQ(explored["complete"], true) << explored.err;
  EXPECT_TRUE(
      explored.says("what was learned of the test is not remembered: the history store/history.db is "
                    "locked by another process"))
      << explored.err;
}

TEST_F(LockedStore, AltogetherIsAnError) {
  Database other(file(), Database::Mode::kReadWrite, std::chrono::milliseconds(0));
  other.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; PRAGMA user_version = 1; COMMIT");
  const Explored explored = explore_in("store");
  EXPECT_EQ(explored.exit_code, 2) << explored.err;
  EXPECT_TRUE(explored.says("the history store/history.db is locked by another process")) << explored.err;
}

// For root, permissions are no obstacle: the tool runs as somebody else, if that one may come to it.
TEST_F(ExploreStore, ThatIsReadOnlyIsUsedAndNotChanged) {
  std::string place = "/tmp/heddle-explore-XXXXXX";
  ASSERT_NE(::mkdtemp(place.data()), nullptr);
  const std::string become_nobody = ::geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : "";
  const std::string tool = "cd " + place + " && " + become_nobody + "$(command -v heddle) ";
  const bool saved = explore_in(place + "/store").exit_code == 0;
  shell("chmod -R a-w,a+rX " + place);
  const bool works = shell(tool + "doctor " + path_of("last_zero")).exit_code == 0;
  const ToolResult told =
      shell(tool + "explore --strategy hapset --store store -- " + path_of("last_zero 4"));
  shell("chmod -R u+w " + place + "; rm -r " + place);
  ASSERT_TRUE(saved);
  if (!works) GTEST_SKIP() << "somebody else cannot execute heddle here";
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_NE(told.err.find("cannot be written"), std::string::npos) << told.err;
  EXPECT_NE(told.err.find("no failure in 1 execution of strategy hapset"), std::string::npos) << told.err;
}

}  // namespace
}  // namespace heddle
