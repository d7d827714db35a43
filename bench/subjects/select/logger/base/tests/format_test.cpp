// One thread: patterns.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

#include "formatter.h"

namespace logging {
namespace {

class Patterns : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(Patterns, AreFilledIn) {
  const auto [pattern, expected] = GetParam();
  const Record record{Level::kWarning, "net.http", "slow answer", 17};
  EXPECT_EQ(Formatter(pattern).format(record), expected);
}

INSTANTIATE_TEST_SUITE_P(All, Patterns,
                         testing::Values(std::tuple("", ""), std::tuple("text", "text"),
                                         std::tuple("%m", "slow answer"), std::tuple("%l", "WARNING"),
                                         std::tuple("%n", "net.http"), std::tuple("%s", "17"),
                                         std::tuple("%%", "%"), std::tuple("100%%", "100%"),
                                         std::tuple("%4s", "  17"), std::tuple("%1s", "17"),
                                         std::tuple("[%10l]", "[   WARNING]"),
                                         std::tuple("%s %l %n: %m", "17 WARNING net.http: slow answer"),
                                         std::tuple("%m%m", "slow answerslow answer"), std::tuple("%3%", "%"),
                                         std::tuple("<%l|%n>", "<WARNING|net.http>")),
                         [](const auto& info) { return "Pattern" + std::to_string(info.index); });

class WrongPatterns : public testing::TestWithParam<const char*> {};

TEST_P(WrongPatterns, AreRefused) {
  EXPECT_THROW(Formatter{GetParam()}, std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(All, WrongPatterns,
                         testing::Values("%", "%x", "text %", "%5", "%99999m", "%L", "% m"),
                         [](const auto& info) { return "Pattern" + std::to_string(info.index); });

// Every field with every width.
class Widths : public testing::TestWithParam<std::tuple<char, int>> {};

TEST_P(Widths, AreTheLeast) {
  const auto [field, width] = GetParam();
  const Record record{Level::kInfo, "", "message", 1234};
  const std::string narrow = Formatter(std::string("%") + field).format(record);
  const std::string wide = Formatter("%" + std::to_string(width) + field).format(record);
  EXPECT_EQ(wide.size(), std::max<std::size_t>(narrow.size(), width));
  EXPECT_EQ(wide.substr(wide.size() - narrow.size()), narrow);
}

INSTANTIATE_TEST_SUITE_P(
    All, Widths, testing::Combine(testing::Values('l', 'n', 'm', 's'), testing::Values(0, 1, 4, 7, 20, 300)),
    [](const auto& info) {
      return std::string(1, std::get<0>(info.param)) + std::to_string(std::get<1>(info.param));
    });

}  // namespace
}  // namespace logging
