#include "history/history.h"

#include <algorithm>

#include "history/database.h"
#include "project.h"
#include "trace/hash.h"
#include "trace/point_less.h"

namespace heddle {
namespace {

using trace::PointGrade;
using trace::PointKind;
using trace::PointRecord;

const PointRecord kHeapPoint{0xfedcba9876543210, 16, 8, PointKind::kHeap, PointGrade::kPoint};

PointRecord global_of(const std::string& module) {
  return {trace::module_key(module), 0x4010, 8, PointKind::kGlobal, PointGrade::kHandedOver};
}

bool equal(const std::vector<PointRecord>& a, const std::vector<PointRecord>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PointRecord& x, const PointRecord& y) {
    return !trace::PointLess()(x, y) && !trace::PointLess()(y, x);
  });
}

class HistoryTest : public testing::Test {
 protected:
  HistoryTest() {
    project_.write("push.cpp", "push");
    project_.write("pop.cpp", "pop");
    project_.write("main.cpp", "main");
  }

  Project project_;
  const Statement push_ = statement_at("push.cpp", 10);
  const Statement pop_ = statement_at("pop.cpp", 20);
};

TEST_F(HistoryTest, RemembersWhatWasSaved) {
  Statement wait =
      statement_at("pop.cpp", 30, {{.file = "main.cpp", .line = 7}, {.file = "a\nb.so", .offset = 99}});
  wait.timed_out = true;
  TestMemory memory = pair_memory(push_, wait);
  memory.points = {global_of("queue_test"), kHeapPoint};
  {
    History history = open_history(project_.history());
    save(history, Project::build("1"), memory);
  }
  History history = open_history(project_.history());
  const TestMemory loaded = load(history, Project::build("1"));
  EXPECT_EQ(loaded.sets, memory.sets);
  EXPECT_EQ(loaded.statements, memory.statements);
  EXPECT_TRUE(equal(loaded.points, memory.points));
}

TEST_F(HistoryTest, KnowsTestsByTheirWordsAndNotByTheirFolder) {
  History history = open_history(project_.history());
  save(history, Project::build("1"), pair_memory(push_, pop_));
  const auto pairs = [&](const TestCommand& test) {
    return history.load(test, Project::build("1"))->sets.size();
  };
  EXPECT_EQ(pairs({.argv = {"./queue_test", "--items", "3"}}), 1u);
  EXPECT_EQ(pairs({.argv = {"/somewhere/build/queue_test", "--items", "3"}, .directory = "/somewhere"}), 1u);
  EXPECT_EQ(pairs({.argv = {"./queue_test", "--items", "4"}}), 0u);
  EXPECT_EQ(pairs({.argv = {"./queue_test", "--items 3"}}), 0u);
  EXPECT_EQ(pairs({.argv = {"./stack_test", "--items", "3"}}), 0u);
  EXPECT_EQ(pairs({.argv = {"./queue_test", "--items", "3"}, .environment = {{"MODE", "fast"}}}), 0u);
}

TEST_F(HistoryTest, AddsWhatIsSavedLater) {
  History history = open_history(project_.history());
  save(history, Project::build("1"), pair_memory(push_, pop_));
  save(history, Project::build("1"), pair_memory(pop_, push_));
  save(history, Project::build("1"), pair_memory(pop_, push_));
  EXPECT_EQ(load(history, Project::build("1")).sets.size(), 2u);
}

TEST_F(HistoryTest, CarriesStatementsOfUnchangedFilesToAnotherBuild) {
  History history = open_history(project_.history());
  save(history, Project::build("1"), pair_memory(push_, pop_));
  save(history, Project::build("1"), pair_memory(push_, push_));
  EXPECT_EQ(load(history, Project::build("2")).sets.size(), 2u);

  project_.write("pop.cpp", "changed");
  const TestMemory carried = load(history, Project::build("2"));
  EXPECT_EQ(carried.sets, pair_memory(push_, push_).sets);
  EXPECT_EQ(carried.statements.size(), 1u);
  // It is about the builds, not about the files of today.
  EXPECT_EQ(load(history, Project::build("1")).sets.size(), 2u);
}

TEST_F(HistoryTest, DropsStatementsThatAreCalledFromChangedFiles) {
  const Statement called = statement_at("push.cpp", 10, {{.file = "main.cpp", .line = 5}});
  History history = open_history(project_.history());
  save(history, Project::build("1"), pair_memory(called, called));
  project_.write("main.cpp", "changed");
  EXPECT_EQ(load(history, Project::build("2")).sets.size(), 0u);
}

TEST_F(HistoryTest, RemembersAgainWhenAChangeIsUndone) {
  History history = open_history(project_.history());
  save(history, Project::build("1"), pair_memory(push_, pop_));
  project_.write("pop.cpp", "changed");
  save(history, Project::build("2"), pair_memory(pop_, pop_));
  EXPECT_EQ(load(history, Project::build("2")).sets.size(), 1u);
  project_.write("pop.cpp", "pop");
  EXPECT_EQ(load(history, Project::build("3")).sets, pair_memory(push_, pop_).sets);
}

// Which text a build was made of cannot be known once the file has been edited.
TEST_F(HistoryTest, DoesNotTrustFilesThatWereWrittenAfterTheBuild) {
  History history = open_history(project_.history());
  project_.write_later("pop.cpp", "edited, but not compiled");
  save(history, Project::build("1"), pair_memory(push_, pop_));
  EXPECT_EQ(load(history, Project::build("1")).sets.size(), 1u);
  Build rebuilt = Project::build("2");
  rebuilt.time += std::chrono::hours(2);
  EXPECT_EQ(load(history, rebuilt).sets.size(), 0u);
}

TEST_F(HistoryTest, RecognisesTheFilesOfAProjectThatWasMoved) {
  {
    History history = open_history(project_.history());
    const Statement push = statement_at(history.sources().name_of(project_.root() / "push.cpp"), 10);
    EXPECT_EQ(push.at.file, "push.cpp");
    save(history, Project::build("1"), pair_memory(push, push));
  }
  Project moved;
  std::filesystem::copy(
      project_.root(), moved.root(),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::skip_existing);
  for (const char* name : {"push.cpp", "pop.cpp"})
    std::filesystem::last_write_time(moved.root() / name, Project::time());
  History history = open_history(moved.history());
  EXPECT_EQ(load(history, Project::build("2")).sets.size(), 1u);
}

TEST_F(HistoryTest, KeepsTheGlobalsOfUnchangedModules) {
  TestMemory memory;
  memory.points = {global_of("queue_test"), global_of("libqueue.so"), kHeapPoint};
  History history = open_history(project_.history());
  save(history, Project::build("1", "1"), memory);
  EXPECT_EQ(load(history, Project::build("1", "1")).points.size(), 3u);
  EXPECT_TRUE(equal(load(history, Project::build("2", "1")).points, {global_of("libqueue.so")}));
  EXPECT_TRUE(equal(load(history, Project::build("1", "2")).points, {global_of("queue_test")}));
}

TEST_F(HistoryTest, DoesNotStoreAgainWhatStillHolds) {
  History history = open_history(project_.history());
  save(history, Project::build("1"), pair_memory(push_, pop_));
  TestMemory memory = load(history, Project::build("2"));
  add_pair(&memory, push_, push_);
  save(history, Project::build("2"), memory);
  Database database(project_.history(), Database::Mode::kRead, std::chrono::seconds(1));
  EXPECT_EQ(database.number("SELECT count(*) FROM pair"), 2);
  EXPECT_EQ(load(history, Project::build("3")).sets.size(), 2u);
}

TEST_F(HistoryTest, SavesNothingIfAStatementIsNotDescribed) {
  History history = open_history(project_.history());
  TestMemory memory = pair_memory(push_, pop_);
  memory.sets.add({key_of(push_), 1234, false});
  const Expected<void> saved = history.save(test_command(), Project::build("1"), memory);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().kind, Error::Kind::kInternal);
  EXPECT_EQ(load(history, Project::build("1")).sets.size(), 0u);
  save(history, Project::build("1"), pair_memory(push_, pop_));
}

TEST_F(HistoryTest, TakesInWhatAnotherHistoryKnows) {
  const std::string other_file = (project_.root() / "other.db").string();
  TestMemory memory = pair_memory(pop_, push_);
  memory.points = {kHeapPoint};
  {
    History other = open_history(other_file);
    save(other, Project::build("1"), memory);
    save(other, Project::build("1"), pair_memory(push_, pop_));
  }
  const std::string bytes = read_bytes(other_file);
  History history = open_history(project_.history());
  save(history, Project::build("1"), pair_memory(push_, pop_));
  for (int i = 0; i < 2; ++i) {
    const Expected<void> merged = history.merge_from(other_file);
    ASSERT_TRUE(merged) << merged.error().message;
    EXPECT_EQ(load(history, Project::build("1")).sets.size(), 2u);
    EXPECT_TRUE(equal(load(history, Project::build("1")).points, {kHeapPoint}));
    EXPECT_EQ(load(history, Project::build("2")).sets.size(), 2u);
  }
  EXPECT_EQ(read_bytes(other_file), bytes);
}

TEST_F(HistoryTest, TakesInNothingFromFilesThatAreNoHistories) {
  History history = open_history(project_.history());
  const std::string file = (project_.root() / "other.db").string();
  EXPECT_EQ(history.merge_from(file).error().message, "there is no history " + file);
  write_bytes(file, "to be, or not to be");
  EXPECT_NE(history.merge_from(file).error().message.find("is damaged"), std::string::npos);
  write_bytes(file, "");
  EXPECT_TRUE(history.merge_from(file));
  EXPECT_EQ(read_bytes(file), "");
  save(history, Project::build("1"), pair_memory(push_, pop_));
}

}  // namespace
}  // namespace heddle
