#include "response.h"

#include <gtest/gtest.h>

#include "static_files.h"

namespace web {
namespace {

class StatusLine : public testing::TestWithParam<int> {};

TEST_P(StatusLine, HasAReasonAndALengthWhereABodyMayBe) {
  const std::string text = Response::error(GetParam()).serialise();
  EXPECT_EQ(text.find("HTTP/1.1 " + std::to_string(GetParam()) + " "), 0U);
  EXPECT_EQ(text.find("Unknown"), std::string::npos);
  EXPECT_EQ(text.find("Content-Length") == std::string::npos, status_has_no_body(GetParam()));
  EXPECT_EQ(text.substr(text.size() - 4) == "\r\n\r\n", status_has_no_body(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Statuses, StatusLine,
                         testing::Values(200, 201, 204, 304, 400, 403, 404, 405, 413, 416, 429, 500, 503));

TEST(Response, HeadHasTheLengthButNoBody) {
  const std::string text = Response::text("hello").serialise(true);
  EXPECT_NE(text.find("Content-Length: 5\r\n\r\n"), std::string::npos);
  EXPECT_EQ(text.find("hello"), std::string::npos);
}

TEST(Response, RedirectsSayWhereTo) {
  EXPECT_EQ(Response::redirect("/x").status, 302);
  EXPECT_EQ(Response::redirect("/x", true).status, 301);
  EXPECT_EQ(Response::redirect("/x").headers.get("Location"), "/x");
}

TEST(Response, UnknownStatusIsStillAResponse) {
  EXPECT_EQ(reason_phrase(599), "Unknown");
}

struct RangeCase {
  const char* header;
  std::uint64_t size;
  ByteRange::Kind kind;
  std::uint64_t first;
  std::uint64_t last;
};

class Range : public testing::TestWithParam<RangeCase> {};

TEST_P(Range, IsParsed) {
  const RangeCase& expected = GetParam();
  const ByteRange range = parse_range(expected.header, expected.size);
  ASSERT_EQ(range.kind, expected.kind);
  EXPECT_EQ(range.first, expected.first);
  EXPECT_EQ(range.last, expected.last);
}

INSTANTIATE_TEST_SUITE_P(Table, Range,
                         testing::Values(RangeCase{"bytes=0-4", 10, ByteRange::Kind::kRange, 0, 4},
                                         RangeCase{"bytes=5-", 10, ByteRange::Kind::kRange, 5, 9},
                                         RangeCase{"bytes=-3", 10, ByteRange::Kind::kRange, 7, 9},
                                         RangeCase{"bytes=-30", 10, ByteRange::Kind::kRange, 0, 9},
                                         RangeCase{"bytes=2-100", 10, ByteRange::Kind::kRange, 2, 9},
                                         RangeCase{"bytes=10-", 10, ByteRange::Kind::kUnsatisfiable, 0, 0},
                                         RangeCase{"bytes=-0", 10, ByteRange::Kind::kUnsatisfiable, 0, 0},
                                         RangeCase{"bytes=4-2", 10, ByteRange::Kind::kIgnored, 0, 0},
                                         RangeCase{"bytes=0-1,3-4", 10, ByteRange::Kind::kIgnored, 0, 0},
                                         RangeCase{"lines=0-1", 10, ByteRange::Kind::kIgnored, 0, 0},
                                         RangeCase{"bytes=a-b", 10, ByteRange::Kind::kIgnored, 0, 0},
                                         RangeCase{"bytes=7", 10, ByteRange::Kind::kIgnored, 0, 0}));

struct ConditionCase {
  const char* header;
  const char* value;
  bool not_modified;
};

class Conditional : public testing::TestWithParam<ConditionCase> {};

TEST_P(Conditional, ComparesTagsAndDates) {
  CachedFile file;
  file.etag = "\"abc\"";
  file.modified = 784111777;
  Request request;
  request.headers.add(GetParam().header, GetParam().value);
  EXPECT_EQ(not_modified(request, file), GetParam().not_modified);
}

INSTANTIATE_TEST_SUITE_P(
    Table, Conditional,
    testing::Values(
        ConditionCase{"If-None-Match", "\"abc\"", true}, ConditionCase{"If-None-Match", "W/\"abc\"", true},
        ConditionCase{"If-None-Match", "\"x\", \"abc\"", true}, ConditionCase{"If-None-Match", "*", true},
        ConditionCase{"If-None-Match", "\"abd\"", false},
        ConditionCase{"If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", true},
        ConditionCase{"If-Modified-Since", "Sun, 06 Nov 1994 08:49:36 GMT", false},
        ConditionCase{"If-Modified-Since", "yesterday", false}, ConditionCase{"Accept", "*/*", false}));

}  // namespace
}  // namespace web
