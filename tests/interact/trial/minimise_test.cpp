#include <algorithm>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "interact/trial/differential.h"

namespace heddle::interact {
namespace {

using concolic::ProgramInput;
using Still = std::function<bool(const ProgramInput&)>;

ProgramInput minimised(const ProgramInput& input, const Still& still) {
  return Differential::minimise(input, still, 10'000);
}

TEST(Minimise, LeavesOutArguments) {
  const ProgramInput input{{"-v", "--long=8", "a", "b", "-x", "file"}, "standard input", "file"};
  const ProgramInput result = minimised(input, [](const ProgramInput& tried) {
    const auto has = [&](const char* word) {
      return std::find(tried.arguments.begin(), tried.arguments.end(), word) != tried.arguments.end();
    };
    return has("-x") && has("b");
  });
  EXPECT_EQ(result, (ProgramInput{{"b", "-x"}, "", ""}));
}

TEST(Minimise, FindsThresholdsOfNumbers) {
  const ProgramInput input{{"--count=987654321"}, "x 77 y", ""};
  const ProgramInput result = minimised(input, [](const ProgramInput& tried) {
    return tried.arguments.size() == 1 && tried.arguments[0].starts_with("--count=") &&
           std::atoll(tried.arguments[0].c_str() + 8) > 100'000'000 &&
           std::atoi(tried.standard_input.c_str() + std::min<size_t>(2, tried.standard_input.size())) >= 13;
  });
  EXPECT_EQ(result, (ProgramInput{{"--count=100000001"}, "aa13", ""}));
}

TEST(Minimise, LeavesOutLinesAndSimplifiesCharacters) {
  const ProgramInput input{{}, "first line\nse!ond line\nthird\nfourth\n", "QRSTU"};
  const ProgramInput result = minimised(input, [](const ProgramInput& tried) {
    return std::count(tried.standard_input.begin(), tried.standard_input.end(), '\n') >= 2 &&
           tried.standard_input.find('!') != std::string::npos && tried.file.size() >= 3;
  });
  EXPECT_EQ(result.standard_input.size(), 3U);
  EXPECT_EQ(result.file, "aaa");
}

TEST(Minimise, AsksNoMoreThanItMay) {
  const ProgramInput input{{"1234567", "abcdefgh"}, std::string(500, 'q'), ""};
  for (const size_t most : {0U, 1U, 7U, 40U}) {
    size_t asked = 0;
    const ProgramInput result = Differential::minimise(
        input,
        [&](const ProgramInput& tried) {
          ++asked;
          return tried.standard_input.size() % 3 != 1;
        },
        most);
    EXPECT_LE(asked, most);
    EXPECT_EQ(result == input, most == 0);
  }
}

// On generated inputs and predicates: the result holds, nothing is asked twice, the answer is always the
// same, no argument and no character of it can be left out, and minimising again changes nothing.
TEST(Minimise, ResultsHoldAndCannotBeShortened) {
  std::mt19937 random(7);
  const auto below = [&](size_t bound) { return random() % bound; };
  for (int turn = 0; turn < 60; ++turn) {
    ProgramInput input;
    const auto text = [&](size_t longest) {
      std::string result;
      for (size_t i = below(longest + 1); i > 0; --i) result.push_back("ab7Z -0\n9q"[below(10)]);
      return result;
    };
    for (size_t i = below(5); i > 0; --i) input.arguments.push_back(text(8));
    input.standard_input = text(30);
    input.file = text(12);
    // Some of the characters of each part have to be there, in this order.
    const auto part_of = [&](const std::string& whole) {
      std::string result;
      for (const char c : whole)
        if (below(4) == 0) result.push_back(c);
      return result;
    };
    const auto has = [](const std::string& whole, const std::string& part) {
      size_t found = 0;
      for (const char c : whole)
        if (found < part.size() && c == part[found]) ++found;
      return found == part.size();
    };
    const std::string standard_input = part_of(input.standard_input);
    const std::string file = part_of(input.file);
    const size_t arguments = input.arguments.empty() ? 0 : below(input.arguments.size() + 1);
    const Still still = [&](const ProgramInput& tried) {
      return has(tried.standard_input, standard_input) && has(tried.file, file) &&
             tried.arguments.size() >= arguments;
    };
    std::set<ProgramInput> asked;
    const ProgramInput result = minimised(input, [&](const ProgramInput& tried) {
      EXPECT_TRUE(asked.insert(tried).second);
      return still(tried);
    });
    EXPECT_EQ(result.standard_input, standard_input);
    EXPECT_EQ(result.file, file);
    EXPECT_EQ(result.arguments, std::vector<std::string>(arguments));
    EXPECT_EQ(minimised(input, still), result);
    EXPECT_EQ(minimised(result, still), result);
  }
}

}  // namespace
}  // namespace heddle::interact
