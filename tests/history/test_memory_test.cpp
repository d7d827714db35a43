#include "history/test_memory.h"

#include "project.h"

namespace heddle {
namespace {

const Statement kPush = statement_at("queue.cpp", 10, {{.file = "main.cpp", .line = 5}});
const Statement kPop = statement_at("queue.cpp", 20);

TEST(TestMemory, ForgetsStatementsWithTheirPairs) {
  TestMemory memory = pair_memory(kPush, kPop);
  add_pair(&memory, kPop, kPop);
  memory.drop({key_of(kPush)});
  EXPECT_EQ(memory.sets, pair_memory(kPop, kPop).sets);
  EXPECT_EQ(memory.statements.size(), 1u);
}

TEST(TestMemory, FollowsStatementsToTheirNewLines) {
  const TestMemory carried = carry(pair_memory(kPush, kPop), [](CodePosition position) {
    if (position.file == "main.cpp") position.file = "app.cpp";
    position.line += 2;
    return position;
  });
  const Statement push = statement_at("queue.cpp", 12, {{.file = "app.cpp", .line = 7}});
  const TestMemory expected = pair_memory(push, statement_at("queue.cpp", 22));
  EXPECT_EQ(carried.sets, expected.sets);
  EXPECT_EQ(carried.statements, expected.statements);
}

TEST(TestMemory, LeavesBehindWhatChanged) {
  TestMemory memory = pair_memory(kPush, kPop);
  add_pair(&memory, kPop, kPop);
  const auto all_but = [](const std::string& file, uint32_t line) {
    return [=](const CodePosition& position) {
      const bool changed = position.file == file && position.line == line;
      return changed ? std::nullopt : std::optional(position);
    };
  };
  EXPECT_EQ(carry(memory, all_but("queue.cpp", 10)).sets, pair_memory(kPop, kPop).sets);
  EXPECT_EQ(carry(memory, all_but("main.cpp", 5)).sets, pair_memory(kPop, kPop).sets);
  EXPECT_EQ(carry(memory, all_but("queue.cpp", 20)).sets.size(), 0u);
}

TEST(TestMemory, KeepsWhatIsNowhereInTheSource) {
  const TestMemory memory = pair_memory({.operation = "thread-end"}, {.operation = "thread-end"});
  EXPECT_EQ(carry(memory, [](const CodePosition&) { return std::nullopt; }).sets, memory.sets);
}

}  // namespace
}  // namespace heddle
