#include "checkpoint.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace crawl {
namespace {

Checkpoint sample(int tasks, int pages) {
  Checkpoint checkpoint;
  checkpoint.time = 4711;
  for (int i = 0; i < tasks; ++i) {
    Task task;
    task.url = *Url::parse("http://host" + std::to_string(i % 3) + "/task?n=" + std::to_string(i));
    task.depth = i;
    task.priority = -i;
    task.attempts = i % 2;
    checkpoint.tasks.push_back(task);
    checkpoint.seen.push_back(fingerprint(task.url.to_string()));
  }
  for (int i = 0; i < pages; ++i) {
    PageRecord page;
    page.url = "http://host/" + std::to_string(i);
    page.host = "host";
    page.title = "A \"title\"\nwith \\ everything";
    page.bytes = 10 * i;
    page.content_hash = fingerprint(page.url);
    page.links.assign(i % 4, "http://host/link with space");
    checkpoint.pages.push_back(page);
  }
  return checkpoint;
}

class RoundTrip : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(RoundTrip, LosesNothing) {
  const auto [tasks, pages] = GetParam();
  const Checkpoint before = sample(tasks, pages);
  std::string error;
  const auto after = Checkpoint::read(before.write(), &error);
  ASSERT_TRUE(after.has_value()) << error;
  EXPECT_EQ(after->write(), before.write());
  EXPECT_EQ(after->time, before.time);
  EXPECT_EQ(after->seen, before.seen);
  ASSERT_EQ(after->tasks.size(), before.tasks.size());
  ASSERT_EQ(after->pages.size(), before.pages.size());
  for (int i = 0; i < pages; ++i) {
    EXPECT_EQ(after->pages[i].title, before.pages[i].title);
    EXPECT_EQ(after->pages[i].links, before.pages[i].links);
  }
}

INSTANTIATE_TEST_SUITE_P(Grid, RoundTrip,
                         testing::Combine(testing::Values(0, 1, 7, 40), testing::Values(0, 1, 9)));

struct DamagedCase {
  const char* text;
  const char* error;
};

class Damaged : public testing::TestWithParam<DamagedCase> {};

TEST_P(Damaged, IsRefusedAndSaysWhere) {
  std::string error;
  EXPECT_FALSE(Checkpoint::read(GetParam().text, &error).has_value());
  EXPECT_EQ(error, GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Damaged,
    testing::Values(DamagedCase{"", "not a checkpoint of this version"},
                    DamagedCase{"crawl-checkpoint 2\nend\n", "not a checkpoint of this version"},
                    DamagedCase{"crawl-checkpoint 1\n", "the end is missing"},
                    DamagedCase{"crawl-checkpoint 1\ntime x\nend\n", "line 2 is damaged"},
                    DamagedCase{"crawl-checkpoint 1\ntime 1\nwhat\nend\n", "line 3 is damaged"},
                    DamagedCase{"crawl-checkpoint 1\ntask 1 2 3 4\nend\n", "line 2 is damaged"},
                    DamagedCase{"crawl-checkpoint 1\ntask 1 2 3 4 \"mailto:x\"\nend\n", "line 2 is damaged"},
                    DamagedCase{"crawl-checkpoint 1\ntask 1 2 3 4 \"http://a/\nend\n", "line 2 is damaged"},
                    DamagedCase{"crawl-checkpoint 1\nseen xyz\nend\n", "line 2 is damaged"},
                    DamagedCase{"crawl-checkpoint 1\nseen 1 2\nend\n", "line 2 is damaged"},
                    DamagedCase{"crawl-checkpoint 1\npage 200 0 0 1 ff 1 \"u\" \"h\" \"t\"\nend\n",
                                "line 2 is damaged"}));

class CheckpointKeep : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(CheckpointKeep, DropsTheOldest) {
  const auto [keep, saves] = GetParam();
  CheckpointStore store(keep);
  for (int i = 1; i <= saves; ++i) EXPECT_EQ(store.save(std::to_string(i)), static_cast<std::uint64_t>(i));
  EXPECT_EQ(store.size(), static_cast<std::size_t>(std::min(keep, saves)));
  EXPECT_EQ(*store.latest(), std::to_string(saves));
  EXPECT_EQ(store.get(1) != nullptr, saves <= keep);
}

INSTANTIATE_TEST_SUITE_P(Grid, CheckpointKeep,
                         testing::Combine(testing::Values(1, 3), testing::Values(1, 3, 10)));

class CheckpointSavers : public testing::TestWithParam<int> {};

TEST_P(CheckpointSavers, MaySaveAtTheSameTime) {
  CheckpointStore store(4);
  run_threads(GetParam(), [&](int thread) {
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t number = store.save(std::to_string(thread));
      EXPECT_GE(number, 1U);
      EXPECT_TRUE(store.latest());
      store.get(number);
    }
  });
  EXPECT_EQ(store.size(), 4U);
  EXPECT_EQ(store.save("last"), static_cast<std::uint64_t>(GetParam()) * 10 + 1);
}

INSTANTIATE_TEST_SUITE_P(Threads, CheckpointSavers, testing::Values(2, 4, 8, 16));

}  // namespace
}  // namespace crawl
