// Crawls over TCP on the loopback interface.
#include "local_server.h"

#include <gtest/gtest.h>

#include "crawler.h"
#include "sites.h"

namespace crawl {
namespace {

struct ResponseCase {
  const char* bytes;
  int status;
  const char* location;
  const char* body;
};

class ParseResponse : public testing::TestWithParam<ResponseCase> {};

TEST_P(ParseResponse, ReadsHeadAndBody) {
  const FetchResult result = parse_response(GetParam().bytes);
  EXPECT_EQ(result.status, GetParam().status);
  EXPECT_EQ(result.location, GetParam().location);
  EXPECT_EQ(result.body, GetParam().body);
}

INSTANTIATE_TEST_SUITE_P(
    Table, ParseResponse,
    testing::Values(ResponseCase{"HTTP/1.0 200 OK\r\n\r\nbody", 200, "", "body"}, ResponseCase{"", 0, "", ""},
                    ResponseCase{"HTTP/1.0 301 x\r\nLocation: /y\r\n\r\n", 301, "/y", ""},
                    ResponseCase{"HTTP/1.1 404 x\r\nA: b\r\nLOCATION:/z\r\n\r\nx", 404, "/z", "x"},
                    ResponseCase{"HTTP/1.0 200 OK\r\n", 0, "", ""},
                    ResponseCase{"rubbish\r\n\r\n", 0, "", ""}));

class LoopbackCrawl : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(LoopbackCrawl, FetchesTheWholeSite) {
  const auto [workers, threads] = GetParam();
  MemorySite site;
  build_site(site, Shape::kTree, 2);
  LocalServer server(site, threads);
  LoopbackFetcher fetcher(server.port());
  CrawlConfig config;
  config.workers = workers;
  config.obey_robots = false;
  Crawler crawler(fetcher, config);
  EXPECT_EQ(crawler.run(seeds_of(2)).pages, static_cast<std::size_t>(kSitePages));
  EXPECT_EQ(server.requests(), static_cast<std::uint64_t>(kSitePages) + 1);
}

INSTANTIATE_TEST_SUITE_P(Grid, LoopbackCrawl,
                         testing::Combine(testing::Values(1, 2, 4), testing::Values(1, 3)));

TEST(LocalServer, EndsWithoutRequests) {
  MemorySite site;
  LocalServer server(site, 2);
  EXPECT_NE(server.port(), 0);
}

}  // namespace
}  // namespace crawl
