#include "headers.h"

#include <gtest/gtest.h>

namespace web {
namespace {

Headers sample() {
  Headers headers;
  headers.add("Host", "example");
  headers.add("Accept", "text/html");
  headers.add("accept", "text/plain");
  headers.add("Connection", "Keep-Alive, Upgrade");
  return headers;
}

struct LookupCase {
  const char* name;
  const char* first;  // null if there is none
  const char* joined;
  std::size_t count;
};

class HeaderLookup : public testing::TestWithParam<LookupCase> {};

TEST_P(HeaderLookup, IgnoresCase) {
  const Headers headers = sample();
  const auto [name, first, joined, count] = GetParam();
  EXPECT_EQ(headers.contains(name), first != nullptr);
  if (first) {
    EXPECT_EQ(headers.get(name), first);
  }
  EXPECT_EQ(headers.joined(name), joined);
  EXPECT_EQ(headers.all(name).size(), count);
}

INSTANTIATE_TEST_SUITE_P(Table, HeaderLookup,
                         testing::Values(LookupCase{"host", "example", "example", 1},
                                         LookupCase{"HOST", "example", "example", 1},
                                         LookupCase{"Accept", "text/html", "text/html, text/plain", 2},
                                         LookupCase{"Missing", nullptr, "", 0},
                                         LookupCase{"", nullptr, "", 0}));

struct TokenCase {
  const char* token;
  bool present;
};

class HeaderToken : public testing::TestWithParam<TokenCase> {};

TEST_P(HeaderToken, IsFoundInLists) {
  EXPECT_EQ(sample().has_token("connection", GetParam().token), GetParam().present);
}

INSTANTIATE_TEST_SUITE_P(Table, HeaderToken,
                         testing::Values(TokenCase{"keep-alive", true}, TokenCase{"upgrade", true},
                                         TokenCase{"close", false}, TokenCase{"keep", false}));

TEST(Headers, SetReplacesAllAtTheFirstPlace) {
  Headers headers = sample();
  headers.set("ACCEPT", "*/*");
  EXPECT_EQ(headers.size(), 3U);
  EXPECT_EQ(std::next(headers.begin())->second, "*/*");
}

TEST(Headers, RemoveSaysHowMany) {
  Headers headers = sample();
  EXPECT_EQ(headers.remove("accept"), 2U);
  EXPECT_EQ(headers.remove("accept"), 0U);
}

TEST(Headers, WritesLines) {
  Headers headers;
  headers.set("A", "1");
  headers.add("B", "2");
  std::string text;
  headers.write_to(text);
  EXPECT_EQ(text, "A: 1\r\nB: 2\r\n");
}

}  // namespace
}  // namespace web
