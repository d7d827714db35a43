#include "text.h"

#include <gtest/gtest.h>

namespace web {
namespace {

struct DecodeCase {
  const char* encoded;
  const char* decoded;  // null if it must be refused
  bool plus_is_space;
};

class PercentDecode : public testing::TestWithParam<DecodeCase> {};

TEST_P(PercentDecode, DecodesOrRefuses) {
  const auto [encoded, decoded, plus_is_space] = GetParam();
  const auto result = percent_decode(encoded, plus_is_space);
  if (decoded) {
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(*result, decoded);
  } else {
    EXPECT_FALSE(result.has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(Table, PercentDecode,
                         testing::Values(DecodeCase{"", "", false}, DecodeCase{"abc", "abc", false},
                                         DecodeCase{"a%20b", "a b", false}, DecodeCase{"%41%42", "AB", false},
                                         DecodeCase{"%c3%a4", "\xc3\xa4", false},
                                         DecodeCase{"a+b", "a+b", false}, DecodeCase{"a+b", "a b", true},
                                         DecodeCase{"a%2Bb", "a+b", true}, DecodeCase{"%", nullptr, false},
                                         DecodeCase{"%4", nullptr, false}, DecodeCase{"%zz", nullptr, false},
                                         DecodeCase{"ab%4", nullptr, true}, DecodeCase{"%2f%2e", "/.", false},
                                         DecodeCase{"100%25", "100%", false}));

class PercentRoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(PercentRoundTrip, EncodingIsUndone) {
  const std::string text = GetParam();
  const std::string encoded = percent_encode(text);
  EXPECT_EQ(encoded.find_first_of(" /?#&=+\"<>"), std::string::npos);
  EXPECT_EQ(percent_decode(encoded), text);
}

INSTANTIATE_TEST_SUITE_P(Texts, PercentRoundTrip,
                         testing::Values("", "plain", "a b", "a/b?c=d&e", "100%", "\xff\x01", "~._-", "+"));

struct PathCase {
  const char* path;
  const char* normal;  // null if it must be refused
};

class NormalisePath : public testing::TestWithParam<PathCase> {};

TEST_P(NormalisePath, ResolvesDots) {
  const auto [path, normal] = GetParam();
  const auto result = normalise_path(path);
  if (normal) {
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(*result, normal);
    EXPECT_EQ(normalise_path(*result), result) << "normal form is not stable";
  } else {
    EXPECT_FALSE(result.has_value());
  }
}

INSTANTIATE_TEST_SUITE_P(Table, NormalisePath,
                         testing::Values(PathCase{"/", "/"}, PathCase{"/a", "/a"}, PathCase{"/a/", "/a/"},
                                         PathCase{"/a/./b", "/a/b"}, PathCase{"/a/../b", "/b"},
                                         PathCase{"//a//b", "/a/b"}, PathCase{"/a/..", "/"},
                                         PathCase{"/a/b/..", "/a/"}, PathCase{"/.", "/"},
                                         PathCase{"/..", nullptr}, PathCase{"/a/../..", nullptr},
                                         PathCase{"", nullptr}, PathCase{"a/b", nullptr},
                                         PathCase{"/...", "/..."}));

struct DateCase {
  std::int64_t seconds;
  const char* text;
};

class HttpDate : public testing::TestWithParam<DateCase> {};

TEST_P(HttpDate, FormatsAndParses) {
  EXPECT_EQ(format_http_date(GetParam().seconds), GetParam().text);
  EXPECT_EQ(parse_http_date(GetParam().text), GetParam().seconds);
}

INSTANTIATE_TEST_SUITE_P(Table, HttpDate,
                         testing::Values(DateCase{0, "Thu, 01 Jan 1970 00:00:00 GMT"},
                                         DateCase{784111777, "Sun, 06 Nov 1994 08:49:37 GMT"},
                                         DateCase{951782400, "Tue, 29 Feb 2000 00:00:00 GMT"},
                                         DateCase{1709251199, "Thu, 29 Feb 2024 23:59:59 GMT"},
                                         DateCase{1735689600, "Wed, 01 Jan 2025 00:00:00 GMT"},
                                         DateCase{4102444799, "Thu, 31 Dec 2099 23:59:59 GMT"}));

class BadHttpDate : public testing::TestWithParam<const char*> {};

TEST_P(BadHttpDate, IsRefused) {
  EXPECT_FALSE(parse_http_date(GetParam()).has_value());
}

INSTANTIATE_TEST_SUITE_P(Table, BadHttpDate,
                         testing::Values("", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Foo 1994 08:49:37 GMT",
                                         "Sun, 40 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
                                         "Sunday, 06-Nov-94 08:49:37 GMT"));

struct NumberCase {
  const char* text;
  std::optional<std::uint64_t> decimal;
  std::optional<std::uint64_t> hex;
};

class ParseNumber : public testing::TestWithParam<NumberCase> {};

TEST_P(ParseNumber, TakesAllOfTheTextOrNothing) {
  EXPECT_EQ(parse_decimal(GetParam().text), GetParam().decimal);
  EXPECT_EQ(parse_hex(GetParam().text), GetParam().hex);
}

INSTANTIATE_TEST_SUITE_P(Table, ParseNumber,
                         testing::Values(NumberCase{"", {}, {}}, NumberCase{"0", 0, 0},
                                         NumberCase{"10", 10, 16}, NumberCase{"ff", {}, 255},
                                         NumberCase{"-1", {}, {}}, NumberCase{"1 ", {}, {}},
                                         NumberCase{"18446744073709551615", 18446744073709551615U, {}},
                                         NumberCase{"18446744073709551616", {}, {}},
                                         NumberCase{"ffffffffffffffff", {}, 18446744073709551615U}));

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
}

TEST(Text, TrimRemovesSpacesAndTabs) {
  EXPECT_EQ(trim(" \t a b\t"), "a b");
  EXPECT_EQ(trim(" \t"), "");
}

TEST(Text, ComparesWithoutCase) {
  EXPECT_TRUE(equals_ignoring_case("Content-Type", "content-TYPE"));
  EXPECT_FALSE(equals_ignoring_case("a", "ab"));
}

TEST(Text, QueryTakesTheLastOfRepeatedNames) {
  const auto values = parse_query("a=1&b=x+y&a=2&c&=&bad=%z");
  EXPECT_EQ(values.at("a"), "2");
  EXPECT_EQ(values.at("b"), "x y");
  EXPECT_EQ(values.at("c"), "");
  EXPECT_FALSE(values.contains("bad"));
}

TEST(Text, JsonEscapesControlCharacters) {
  EXPECT_EQ(json_escape("a\"\\\n\x01"), "a\\\"\\\\\\n\\u0001");
}

TEST(Text, FingerprintsDiffer) {
  EXPECT_EQ(fingerprint("a").size(), 16U);
  EXPECT_NE(fingerprint("a"), fingerprint("b"));
}

}  // namespace
}  // namespace web
