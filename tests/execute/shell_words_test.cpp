#include "execute/shell_words.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWords, QuotesAndBackslashesProtectBlanks) {
  EXPECT_EQ(split_words("-batch  -ex 'info locals'\n-ex \"print x\" a\\ b ''"),
            (Words{"-batch", "-ex", "info locals", "-ex", "print x", "a b", ""}));
  EXPECT_EQ(split_words(" \n "), Words{});
}

TEST(ShellWords, QuotingIsUndoneBySplitting) {
  for (const std::string word : {"", "plain", "two words", "it's", "a\"b", "tab\there"}) {
    EXPECT_EQ(split_words(shell_quoted(word)), Words{word});
  }
}

}  // namespace
}  // namespace heddle
