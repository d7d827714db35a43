#include "request_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace web {
namespace {

/// Feeds `text` in pieces; returns how many bytes were left over.
std::size_t feed_in_pieces(RequestParser& parser, const std::string& text, std::size_t piece) {
  std::size_t at = 0;
  while (at < text.size() && !parser.done() && !parser.failed()) {
    const std::string part = text.substr(at, piece);
    at += parser.feed(part);
  }
  return text.size() - at;
}

struct GoodCase {
  const char* name;
  std::string text;
  const char* method;
  const char* path;
  const char* query;
  std::string body;
  bool keep_alive;
};

const std::vector<GoodCase>& good_cases() {
  static const std::vector<GoodCase> cases = {
      {"Get", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/", "", "", true},
      {"BareLineFeeds", "GET /x HTTP/1.1\nHost: a\n\n", "GET", "/x", "", "", true},
      {"LeadingEmptyLines", "\r\n\r\nGET /x HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/x", "", "", true},
      {"Query", "GET /s?q=1&r=2 HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/s", "q=1&r=2", "", true},
      {"Escapes", "GET /a%20b/%2e%2e/c HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/c", "", "", true},
      {"AbsoluteForm", "GET http://h/p?x HTTP/1.1\r\nHost: h\r\n\r\n", "GET", "/p", "x", "", true},
      {"AbsoluteFormWithoutPath", "GET http://h HTTP/1.1\r\nHost: h\r\n\r\n", "GET", "/", "", "", true},
      {"Star", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS", "*", "", "", true},
      {"OldVersion", "GET / HTTP/1.0\r\n\r\n", "GET", "/", "", "", false},
      {"OldVersionKeptAlive", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET", "/", "", "", true},
      {"Close", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET", "/", "", "", false},
      {"Body", "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "POST", "/p", "", "hello",
       true},
      {"EmptyBody", "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "POST", "/p", "", "", true},
      {"SameLengthTwice", "POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi",
       "POST", "/p", "", "hi", true},
      {"Chunked",
       "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n "
       "world\r\n0\r\n\r\n",
       "POST", "/p", "", "hello world", true},
      {"ChunkExtensionsAndTrailers",
       "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: v\r\n\r\n",
       "POST", "/p", "", "abc", true},
      {"ChunkedEmpty", "POST /p HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "POST",
       "/p", "", "", true},
      {"BodyWithLineEnds", "PUT /p HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n\r\n\r\n\r\n", "PUT", "/p",
       "", "\r\n\r\n\r\n", true},
      {"OwnMethod", "PURGE /c HTTP/1.1\r\nHost: a\r\n\r\n", "PURGE", "/c", "", "", true},
      {"EmptyHeaderValue", "GET / HTTP/1.1\r\nHost:\r\nX:   \r\n\r\n", "GET", "/", "", "", true},
  };
  return cases;
}

class GoodRequest : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(GoodRequest, IsParsedInAnyPieces) {
  const auto& [index, piece] = GetParam();
  const GoodCase& expected = good_cases()[index];
  RequestParser parser;
  EXPECT_EQ(feed_in_pieces(parser, expected.text + "GET", piece), 3U) << "took bytes of the next request";
  ASSERT_TRUE(parser.done()) << parser.error_reason();
  const Request request = parser.take();
  EXPECT_EQ(request.method, expected.method);
  EXPECT_EQ(request.path, expected.path);
  EXPECT_EQ(request.query, expected.query);
  EXPECT_EQ(request.body, expected.body);
  EXPECT_EQ(request.wants_keep_alive(), expected.keep_alive);
  EXPECT_TRUE(parser.idle());
}

INSTANTIATE_TEST_SUITE_P(Table, GoodRequest,
                         testing::Combine(testing::Range<std::size_t>(0, good_cases().size()),
                                          testing::Values<std::size_t>(1, 2, 3, 7, 4096)),
                         [](const auto& info) {
                           return std::string(good_cases()[std::get<0>(info.param)].name) + "By" +
                                  std::to_string(std::get<1>(info.param));
                         });

struct BadCase {
  const char* name;
  std::string text;
  int status;
};

const std::vector<BadCase>& bad_cases() {
  const std::string post = "POST / HTTP/1.1\r\nHost: a\r\n";
  static const std::vector<BadCase> cases = {
      {"TwoParts", "GET /\r\n", 400},
      {"FourParts", "GET / x HTTP/1.1\r\n", 400},
      {"BadMethod", "G(T / HTTP/1.1\r\n", 400},
      {"NoVersion", "GET / FTP/1.1\r\n", 400},
      {"Version2", "GET / HTTP/2.0\r\n", 505},
      {"Version09", "GET / HTTP/0.9\r\n", 505},
      {"AboveRoot", "GET /../x HTTP/1.1\r\n", 400},
      {"EscapedAboveRoot", "GET /%2e%2e/x HTTP/1.1\r\n", 400},
      {"BadEscape", "GET /%zz HTTP/1.1\r\n", 400},
      {"NulInPath", "GET /%00 HTTP/1.1\r\n", 400},
      {"StarOfGet", "GET * HTTP/1.1\r\n", 400},
      {"RelativeTarget", "GET x HTTP/1.1\r\n", 400},
      {"LongRequestLine", "GET /" + std::string(200, 'x') + " HTTP/1.1\r\n", 414},
      {"LongHeaderLine", "GET / HTTP/1.1\r\nX: " + std::string(400, 'x') + "\r\n", 431},
      {"ManyHeaderBytes",
       "GET / HTTP/1.1\r\nX: " + std::string(150, 'x') + "\r\nY: " + std::string(150, 'x') + "\r\n", 431},
      {"ManyHeaders", "GET / HTTP/1.1\r\nA: 1\r\nB: 1\r\nC: 1\r\nD: 1\r\nE: 1\r\nF: 1\r\nG: 1\r\n", 431},
      {"NoColon", "GET / HTTP/1.1\r\nHost\r\n", 400},
      {"SpaceBeforeColon", "GET / HTTP/1.1\r\nHost : a\r\n", 400},
      {"Continuation", "GET / HTTP/1.1\r\nHost: a\r\n b\r\n", 400},
      {"NoHost", "GET / HTTP/1.1\r\n\r\n", 400},
      {"TwoHosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"BadLength", post + "Content-Length: x\r\n\r\n", 400},
      {"NegativeLength", post + "Content-Length: -1\r\n\r\n", 400},
      {"TwoLengths", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {"LargeLength", post + "Content-Length: 1000\r\n\r\n", 413},
      {"OtherEncoding", post + "Transfer-Encoding: gzip\r\n\r\n", 501},
      {"LengthAndChunked", post + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"BadChunkSize", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n", 400},
      {"LargeChunks", post + "Transfer-Encoding: chunked\r\n\r\n40\r\n" + std::string(64, 'x') + "\r\n41\r\n",
       413},
      {"LongChunk", post + "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", 400},
  };
  return cases;
}

class BadRequest : public testing::TestWithParam<std::tuple<std::size_t, std::size_t>> {};

TEST_P(BadRequest, IsRefusedWithTheRightStatus) {
  const auto& [index, piece] = GetParam();
  ParserLimits limits;
  limits.request_line = 128;
  limits.header_bytes = 256;
  limits.header_count = 6;
  limits.body = 128;
  RequestParser parser(limits);
  feed_in_pieces(parser, bad_cases()[index].text, piece);
  ASSERT_TRUE(parser.failed());
  EXPECT_EQ(parser.error_status(), bad_cases()[index].status) << parser.error_reason();
}

INSTANTIATE_TEST_SUITE_P(Table, BadRequest,
                         testing::Combine(testing::Range<std::size_t>(0, bad_cases().size()),
                                          testing::Values<std::size_t>(1, 4096)),
                         [](const auto& info) {
                           return std::string(bad_cases()[std::get<0>(info.param)].name) + "By" +
                                  std::to_string(std::get<1>(info.param));
                         });

TEST(RequestParser, ExpectContinueIsSaidOnce) {
  RequestParser parser;
  parser.feed("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_FALSE(parser.done());
  EXPECT_TRUE(parser.take_expect_continue());
  EXPECT_FALSE(parser.take_expect_continue());
  parser.feed("hi");
  EXPECT_TRUE(parser.done());
}

class Pipelined : public testing::TestWithParam<int> {};

TEST_P(Pipelined, RequestsComeOutOneByOne) {
  std::string text;
  for (int i = 0; i < GetParam(); ++i) {
    text += "POST /" + std::to_string(i) + " HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx";
  }
  RequestParser parser;
  for (int i = 0; i < GetParam(); ++i) {
    text.erase(0, parser.feed(text));
    ASSERT_TRUE(parser.done());
    EXPECT_EQ(parser.take().path, "/" + std::to_string(i));
  }
  EXPECT_TRUE(text.empty());
}

INSTANTIATE_TEST_SUITE_P(Counts, Pipelined, testing::Values(1, 2, 3, 10));

}  // namespace
}  // namespace web
