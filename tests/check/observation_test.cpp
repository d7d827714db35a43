// What two executions of a test show is put together.
#include "check/observation.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

std::shared_ptr<const FunctionActivity> activity(const std::string& function, std::vector<ThreadSet> sets,
                                                 std::vector<FunctionActivity::Block> blocks,
                                                 std::vector<FunctionActivity::Access> accesses = {}) {
  FunctionActivity made;
  made.file = "a.cpp";
  made.function = function;
  made.thread_sets = std::move(sets);
  made.blocks = std::move(blocks);
  made.accesses = std::move(accesses);
  return std::make_shared<const FunctionActivity>(std::move(made));
}

TEST(AddObservation, UnitesTheThreadsOfEachBlock) {
  TestRecord record;
  record.threads = 3;
  record.outcome = "ok";
  record.functions = {activity("f", {{{"main/1"}, 1}}, {{5, 1, 0}, {6, 1, 0}})};
  TestRecord further;
  further.threads = 4;
  further.outcome = "crash";
  further.functions = {
      activity("f", {{{"main/2"}, 1}, {}}, {{5, 1, 0}, {7, 1, 1}}, {{5, 1, access_kind::kWrite, 0, "x"}}),
      activity("g", {{{"main"}, 1}}, {{9, 1, 0}}),
  };
  add_observation(further, &record);
  EXPECT_EQ(record.threads, 4u);
  EXPECT_EQ(record.outcome, "ok");
  ASSERT_EQ(record.functions.size(), 2u);
  const FunctionActivity& f = *record.functions[0];
  ASSERT_EQ(f.blocks.size(), 3u);
  EXPECT_EQ(f.thread_sets[f.blocks[0].threads], (ThreadSet{{"main/1", "main/2"}, 2}));
  EXPECT_EQ(f.thread_sets[f.blocks[1].threads], (ThreadSet{{"main/1"}, 1}));
  EXPECT_EQ(f.thread_sets[f.blocks[2].threads], ThreadSet{});
  ASSERT_EQ(f.accesses.size(), 1u);
  EXPECT_EQ(f.thread_sets[f.accesses[0].threads], (ThreadSet{{"main/2"}, 1}));
  EXPECT_EQ(record.functions[1]->function, "g");
}

TEST(AddObservation, OfTheSameIsTheSame) {
  TestRecord record;
  record.functions = {activity("f", {{{"main/1"}, 1}}, {{5, 1, 0}})};
  const TestRecord before = record;
  add_observation(before, &record);
  ASSERT_EQ(record.functions.size(), 1u);
  EXPECT_EQ(*record.functions[0], *before.functions[0]);
}

}  // namespace
}  // namespace heddle
