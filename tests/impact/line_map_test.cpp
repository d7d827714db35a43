#include "impact/line_map.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

// Line 3 is another, two are new after line 5, line 8 is gone.
constexpr const char* kDiff =
    "diff --git a/src/x.cpp b/src/y.cpp\nindex 1..2 100644\n--- a/src/x.cpp\n+++ b/src/y.cpp\n"
    "@@ -2,5 +2,7 @@ int main() {\n two\n-three\n+THREE\n four\n five\n+new\n+new\n six\n"
    "@@ -8 +9,0 @@\n-eight\n";

uint32_t base_line(const LineMap& map, uint32_t line) {
  return map.to_base("src/y.cpp", line).line;
}

TEST(LineMap, LinesMoveWithWhatIsAddedAndRemovedBeforeThem) {
  const LineMap map = LineMap::parse(kDiff, "diff").value();
  EXPECT_EQ(map.to_base("src/y.cpp", 1).file, "src/x.cpp");
  for (const auto& [head, base] :
       {std::pair{1u, 1u}, {2u, 2u}, {3u, 3u}, {5u, 5u}, {8u, 6u}, {9u, 7u}, {10u, 9u}, {100u, 99u}})
    EXPECT_EQ(base_line(map, head), base) << head;
  for (const uint32_t line : {1u, 2u, 4u, 5u, 8u, 9u, 10u})
    EXPECT_FALSE(map.to_base("src/y.cpp", line).is_changed) << line;
}

TEST(LineMap, LinesThatTakeThePlaceOfOthersAreChangedAndFurtherOnesAreNew) {
  const LineMap map = LineMap::parse(kDiff, "diff").value();
  EXPECT_TRUE(map.to_base("src/y.cpp", 3).is_changed);
  EXPECT_FALSE(map.to_base("src/y.cpp", 3).is_new);
  for (const uint32_t line : {6u, 7u}) EXPECT_TRUE(map.to_base("src/y.cpp", line).is_new) << line;
}

TEST(LineMap, OtherFilesAreTheSame) {
  const LineMap map = LineMap::parse(kDiff, "diff").value();
  EXPECT_EQ(map.to_base("src/z.cpp", 3).file, "src/z.cpp");
  EXPECT_EQ(map.to_base("src/z.cpp", 3).line, 3u);
  EXPECT_EQ(LineMap().to_base("src/y.cpp", 7).line, 7u);
}

TEST(LineMap, KnowsWhereAVersionLiesByTheFilesThatTheDiffNames) {
  const LineMap map = LineMap::parse(kDiff, "diff").value();
  EXPECT_EQ(map.base_root("/old/src/x.cpp"), "/old/");
  EXPECT_EQ(map.head_root("/new/src/y.cpp"), "/new/");
  EXPECT_EQ(map.base_root("/old/src/y.cpp"), std::nullopt);
  EXPECT_EQ(map.base_root("/old/other_src/x.cpp"), std::nullopt);
}

TEST(LineMap, RefusesWhatIsNoDiff) {
  for (const char* text : {"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n one\n", "@@ nonsense @@\n",
                           "--- a/x\n+++ b/x\n@@ -1 +1 @@\nwhat?\n"}) {
    const Expected<LineMap> map = LineMap::parse(text, "change.diff");
    ASSERT_FALSE(map) << text;
    EXPECT_NE(map.error().message.find("change.diff:"), std::string::npos) << map.error().message;
  }
}

}  // namespace
}  // namespace heddle
