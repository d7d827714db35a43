#include "execute/arena.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <vector>

namespace heddle {
namespace {

using trace::ArenaTableId;
using trace::TableId;

uint64_t used_bytes(const Arena& arena) {
  struct stat status{};
  ::fstat(arena.fd(), &status);
  return static_cast<uint64_t>(status.st_blocks) * 512;
}

trace::TableRecord& events(Arena& arena) {
  return arena.header().tables[static_cast<size_t>(TableId::kEvents)];
}

char* content(Arena& arena, const trace::TableRecord& table) {
  return reinterpret_cast<char*>(&arena.header()) + table.offset;
}

TEST(Arena, CostsAlmostNothingUntilUsed) {
  const Expected<Arena> arena = Arena::create({});
  ASSERT_TRUE(arena);
  EXPECT_LT(used_bytes(*arena), uint64_t{1} << 20);
}

TEST(Arena, TablesLieApartAndWithinTheFile) {
  const Expected<Arena> arena = Arena::create({.event_capacity = 1000});
  ASSERT_TRUE(arena);
  std::map<uint64_t, uint64_t> extents;  // begin → end
  const auto add = [&](const trace::TableRecord& table, size_t record_size) {
    EXPECT_GT(table.capacity, 0u);
    EXPECT_TRUE(extents.emplace(table.offset, table.offset + table.capacity * record_size).second);
  };
  using namespace trace;
#define HEDDLE_X(name, type) \
  add(arena->header().arena_tables[static_cast<size_t>(ArenaTableId::name)], sizeof(type));
  HEDDLE_ARENA_TABLES(HEDDLE_X)
#undef HEDDLE_X
#define HEDDLE_X(name, type)                                                                  \
  add(arena->header().tables[static_cast<size_t>(TableId::name)], sizeof(type));              \
  if (const auto& larger = arena->header().larger_tables[static_cast<size_t>(TableId::name)]; \
      larger.capacity != 0) {                                                                 \
    add(larger, sizeof(type));                                                                \
  }
  HEDDLE_TABLES(HEDDLE_X)
#undef HEDDLE_X
  uint64_t end = sizeof(trace::ArenaHeader);
  for (const auto& [table_begin, table_end] : extents) {
    EXPECT_GE(table_begin, end);
    end = table_end;
  }
  EXPECT_LE(end, arena->size());
  EXPECT_EQ(arena->size(), arena->header().arena_size);
}

TEST(Arena, FileBackedArenaLeavesNothingInItsFolder) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "heddle_arena_test";
  std::filesystem::create_directories(folder);
  {
    const Expected<Arena> arena = Arena::create({.folder = folder.string()});
    ASSERT_TRUE(arena) << arena.error().message;
    EXPECT_TRUE(std::filesystem::is_empty(folder));
  }
  EXPECT_TRUE(std::filesystem::remove(folder));
}

TEST(Arena, FolderThatDoesNotExistIsAUsageError) {
  const Expected<Arena> arena = Arena::create({.folder = "/nonexistent/folder"});
  ASSERT_FALSE(arena);
  EXPECT_EQ(arena.error().kind, Error::Kind::kUsage);
}

TEST(Arena, ResetEmptiesAnswersAndKeepsInputs) {
  Expected<Arena> arena = Arena::create({});
  ASSERT_TRUE(arena);
  const std::vector<trace::PointRecord> points(3);
  ASSERT_TRUE(arena->fill(ArenaTableId::kInputPoints, std::span<const trace::PointRecord>(points)));
  events(*arena).count = 5;
  arena->header().outcome.kind = trace::OutcomeKind::kDeadlock;
  arena->reset();
  EXPECT_TRUE(arena->table<trace::EventRecord>(TableId::kEvents).empty());
  EXPECT_EQ(arena->header().outcome.kind, trace::OutcomeKind::kOk);
  EXPECT_EQ(arena->table<trace::PointRecord>(ArenaTableId::kInputPoints).size(), 3u);
}

TEST(Arena, ResetGivesBackTheMemoryOfLargeTables) {
  Expected<Arena> arena = Arena::create({});
  ASSERT_TRUE(arena);
  trace::TableRecord& table = events(*arena);
  table.count = table.capacity;
  const uint64_t bytes = table.count * sizeof(trace::EventRecord);
  std::memset(content(*arena, table), 1, bytes);
  ASSERT_GE(used_bytes(*arena), bytes);
  arena->reset();
  EXPECT_LT(used_bytes(*arena), bytes);
}

TEST(Arena, NonsenseInTheHeaderIsNotFollowed) {
  Expected<Arena> arena = Arena::create({});
  ASSERT_TRUE(arena);
  events(*arena) = {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};
  EXPECT_TRUE(arena->table<trace::EventRecord>(TableId::kEvents).empty());
  events(*arena) = {trace::kArenaHeaderRoom, 4, 1000};
  EXPECT_EQ(arena->table<trace::EventRecord>(TableId::kEvents).size(), 4u);
  arena->reset();
  EXPECT_GT(events(*arena).capacity, 1000u);
}

TEST(Arena, ResetPutsInputTablesBackToTheirPlace) {
  Expected<Arena> arena = Arena::create({});
  ASSERT_TRUE(arena);
  trace::TableRecord& points = arena->header().arena_tables[static_cast<size_t>(ArenaTableId::kInputPoints)];
  const trace::TableRecord before = points;
  points = {~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0}};
  arena->reset();
  EXPECT_EQ(points.offset, before.offset);
  EXPECT_EQ(points.capacity, before.capacity);
}

TEST(Arena, TableThatHasMovedToALargerPlaceIsReadThereUntilReset) {
  Expected<Arena> arena = Arena::create({});
  ASSERT_TRUE(arena);
  constexpr auto kSteps = static_cast<size_t>(TableId::kSteps);
  trace::TableRecord& steps = arena->header().tables[kSteps];
  const trace::TableRecord small = steps;
  const trace::TableRecord larger = arena->header().larger_tables[kSteps];
  ASSERT_GT(larger.capacity, small.capacity);
  steps = {larger.offset, larger.capacity, small.capacity + 1};
  EXPECT_EQ(arena->table<trace::StepRecord>(TableId::kSteps).size(), small.capacity + 1);
  arena->reset();
  EXPECT_EQ(steps.offset, small.offset);
  EXPECT_EQ(steps.capacity, small.capacity);
  EXPECT_EQ(steps.count, 0u);
}

TEST(Arena, TooManyRecordsAreAnError) {
  Expected<Arena> arena = Arena::create({});
  ASSERT_TRUE(arena);
  const std::vector<trace::ScheduleThreadRecord> threads((1 << 16) + 1);
  EXPECT_FALSE(
      arena->fill(ArenaTableId::kInputThreads, std::span<const trace::ScheduleThreadRecord>(threads)));
}

}  // namespace
}  // namespace heddle
