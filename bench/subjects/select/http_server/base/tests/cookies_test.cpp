#include "cookies.h"

#include <gtest/gtest.h>

namespace web {
namespace {

struct CookieCase {
  const char* header;
  const char* name;
  const char* value;  // null if there is no such cookie
};

class ParseCookies : public testing::TestWithParam<CookieCase> {};

TEST_P(ParseCookies, FindsTheValue) {
  Headers headers;
  headers.add("Cookie", GetParam().header);
  const auto cookies = parse_cookies(headers);
  const auto found = cookies.find(GetParam().name);
  ASSERT_EQ(found != cookies.end(), GetParam().value != nullptr);
  if (GetParam().value) {
    EXPECT_EQ(found->second, GetParam().value);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, ParseCookies,
                         testing::Values(CookieCase{"a=1", "a", "1"}, CookieCase{"a=1; b=2", "b", "2"},
                                         CookieCase{"a=1;b=2;c=3", "c", "3"},
                                         CookieCase{"a=1; a=2", "a", "1"}, CookieCase{"a=\"q\"", "a", "q"},
                                         CookieCase{"a=", "a", ""}, CookieCase{"a", "a", nullptr},
                                         CookieCase{"", "a", nullptr}, CookieCase{"a b=1", "a b", nullptr},
                                         CookieCase{"a=x y", "a", nullptr},
                                         CookieCase{"sid=00ff; theme=dark", "theme", "dark"}));

TEST(SetCookie, FormatsItsAttributes) {
  SetCookie cookie;
  cookie.name = "sid";
  cookie.value = "1";
  cookie.max_age = 60;
  EXPECT_EQ(cookie.format(), "sid=1; Path=/; Max-Age=60; HttpOnly; SameSite=Lax");
}

class BadCookieValue : public testing::TestWithParam<const char*> {};

TEST_P(BadCookieValue, IsNotFormatted) {
  SetCookie cookie;
  cookie.name = "sid";
  cookie.value = GetParam();
  EXPECT_FALSE(cookie.format().has_value());
}

INSTANTIATE_TEST_SUITE_P(Table, BadCookieValue, testing::Values("a b", "a;b", "a,b", "a\"b", "a\\b", "a\nb"));

}  // namespace
}  // namespace web
