#include "report/text.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(Text, WidthCountsCodePoints) {
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("… é"), 3u);
}

TEST(Text, FittingPadsOrCuts) {
  EXPECT_EQ(fit_text("ab", 4), "ab  ");
  EXPECT_EQ(fit_text("abcdef", 4), "abc…");
  EXPECT_EQ(fit_text("éééé", 3), "éé…");
  EXPECT_EQ(fit_text("abc", 0), "");
  EXPECT_EQ(cut_text("ab", 4), "ab");
}

TEST(Text, CuttingSourceKeepsNames) {
  std::string_view source = "std::lock_guard<std::vector<int>> guard(from.lock);";
  EXPECT_EQ(cut_source(source, 60), source);
  EXPECT_EQ(cut_source(source, 30), "lock_guard guard(from.lock);");
  EXPECT_EQ(cut_source(source, 18), "lock_guard guard(…");
  EXPECT_EQ(cut_source("if (std::max(a, b) < c) return;", 25), "if (max(a, b) < c) retur…");
  EXPECT_EQ(cut_source("std::vector<int", 12), "vector<int");
}

TEST(Text, PrintableReplacesControlCharacters) {
  EXPECT_EQ(printable("a\x1b[2Jé\n"), "a?[2Jé?");
}

TEST(Text, JoinsWords) {
  EXPECT_EQ(join_words({}), "");
  EXPECT_EQ(join_words({"a"}), "a");
  EXPECT_EQ(join_words({"a", "b"}), "a and b");
  EXPECT_EQ(join_words({"a", "b", "c"}), "a, b and c");
}

TEST(Text, CountsWithPlural) {
  EXPECT_EQ(count_of(1, "step"), "1 step");
  EXPECT_EQ(count_of(0, "step"), "0 steps");
}

}  // namespace
}  // namespace heddle
