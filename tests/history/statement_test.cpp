#include "history/statement.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Statement sample() {
  return {.at = {.file = "queue.cpp", .line = 41, .column = 7},
          .operation = "read",
          .context = {{.file = "main.cpp", .line = 3}},
          .function = "Queue::push"};
}

TEST(Statement, IsItsPlaceItsOperationAndItsCalls) {
  std::set<uint64_t> keys{key_of(sample())};
  const auto is_another = [&](auto change) {
    Statement statement = sample();
    change(statement);
    return keys.insert(key_of(statement)).second;
  };
  EXPECT_FALSE(is_another([](Statement&) {}));
  EXPECT_FALSE(is_another([](Statement& s) { s.function = "Queue::push_back"; }));
  EXPECT_TRUE(is_another([](Statement& s) { s.at.file = "stack.cpp"; }));
  EXPECT_TRUE(is_another([](Statement& s) { s.at.line = 42; }));
  EXPECT_TRUE(is_another([](Statement& s) { s.at.column = 8; }));
  EXPECT_TRUE(is_another([](Statement& s) { s.operation = "write"; }));
  EXPECT_TRUE(is_another([](Statement& s) { s.timed_out = true; }));
  EXPECT_TRUE(is_another([](Statement& s) { s.context.clear(); }));
  EXPECT_TRUE(is_another([](Statement& s) { s.context[0].line = 4; }));
}

// Histories keep keys: they must not change with heddle.
TEST(Statement, HasTheSameKeyForEver) {
  EXPECT_EQ(key_of(sample()), 4805941508608696819u);
}

TEST(CodePosition, IsTheSameAfterPrintingAndParsing) {
  for (const CodePosition& position :
       {CodePosition{.file = "src/a.cpp", .line = 12},
        CodePosition{.file = "with:colon+0x3", .line = 4294967295},
        CodePosition{.file = "/lib/libc.so.6", .offset = 0xfedcba9876543210}, CodePosition{.file = "a:3"}}) {
    EXPECT_EQ(parse_position(to_text(position)), position) << to_text(position);
  }
  EXPECT_EQ(to_text({.file = "src/a.cpp", .line = 12, .column = 3}), "src/a.cpp:12:3");
}

TEST(CodePosition, IsNotMadeOfOtherTexts) {
  for (const char* text :
       {"", "a.cpp", "a.cpp:", "a.cpp:0", "a.cpp:4294967296", "a.cpp:3x", "a.so+12", "a.so+0x", "a.so+0x1g"})
    EXPECT_EQ(parse_position(text), std::nullopt) << text;
}

}  // namespace
}  // namespace heddle
