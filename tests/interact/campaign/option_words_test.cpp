#include "interact/campaign/option_words.h"

#include <gtest/gtest.h>

namespace heddle::interact {
namespace {

using Value = OptionWords::Value;

OptionWords words_of(std::string_view source) {
  OptionWords words;
  add_option_words(source, &words);
  return words;
}

TEST(OptionWords, AreTheLettersThatGetoptIsGiven) {
  const OptionWords words = words_of(R"(
    int main(int argc, char** argv) {
      while ((c = getopt(argc, argv, "+ab:c::")) != -1) {}
    })");
  EXPECT_EQ(words.letters, (std::set<OptionWords::Letter>{
                               {'a', Value::kFlag}, {'b', Value::kWanted}, {'c', Value::kOptional}}));
}

TEST(OptionWords, AreFoundBehindNamesAndMacros) {
  const OptionWords named = words_of(R"(
    static const char kLetters[] = "x" "y:";
    int next(int argc, char** argv) { return getopt(argc, argv, kLetters); })");
  EXPECT_EQ(named.letters, (std::set<OptionWords::Letter>{{'x', Value::kFlag}, {'y', Value::kWanted}}));
  const OptionWords macro = words_of(
      "#define LETTERS \"q:\"\n"
      "int next(int argc, char** argv) { return getopt_long(argc, argv, LETTERS, longs, NULL); }\n");
  EXPECT_EQ(macro.letters, (std::set<OptionWords::Letter>{{'q', Value::kWanted}}));
}

TEST(OptionWords, AreTheNamesInTablesOfLongOptions) {
  const OptionWords words = words_of(R"(
    static struct option longs[] = {
        {"width", required_argument, NULL, 'w'},
        {"zero", no_argument, NULL, 'z'},
        {"color", optional_argument, NULL, 'c'},
        {"not an option", 7, NULL, 0},
        {NULL, 0, NULL, 0}};)");
  EXPECT_EQ(words.longs,
            (std::set<OptionWords::Long>{
                {"width", Value::kWanted}, {"zero", Value::kFlag}, {"color", Value::kOptional}}));
}

TEST(OptionWords, AreConstantsThatLookLikeOptionsOrAreCompared) {
  const OptionWords words = words_of(R"(
    int main(int argc, char** argv) {
      if (strcmp(argv[1], "--count") == 0) count = 1;
      if (strncmp(argv[1], "--width=", 8) == 0) width = atoi(argv[1] + 8);
      if (strcmp(argv[1], "add") == 0 || name == "sub") go();
      printf("usage: tool [-n] FILE\n");
      puts("hello");
    })");
  EXPECT_EQ(words.dashed, (std::set<std::string>{"--count", "--width="}));
  EXPECT_EQ(words.keywords, (std::set<std::string>{"add", "sub"}));
}

TEST(OptionWords, OfBrokenTextAreNone) {
  EXPECT_TRUE(words_of("getopt(argc, argv,").empty());
  EXPECT_TRUE(words_of("getopt(").empty());
  EXPECT_TRUE(words_of("{\"a\",").empty());
  EXPECT_TRUE(words_of("").empty());
}

}  // namespace
}  // namespace heddle::interact
