#include "crawler.h"

#include <gtest/gtest.h>

#include "link_graph.h"
#include "sites.h"
#include "threads.h"

namespace crawl {
namespace {

struct CrawlCase {
  Shape shape;
  int workers;
  int hosts;
};

std::vector<CrawlCase> cases(const std::vector<Shape>& shapes, const std::vector<int>& workers,
                             const std::vector<int>& hosts) {
  std::vector<CrawlCase> all;
  for (const Shape shape : shapes) {
    for (const int worker : workers) {
      for (const int host : hosts) all.push_back({shape, worker, host});
    }
  }
  return all;
}

std::string case_name(const testing::TestParamInfo<CrawlCase>& info) {
  return std::string(kShapeNames[static_cast<int>(info.param.shape)]) + std::to_string(info.param.workers) +
         "Workers" + std::to_string(info.param.hosts) + "Hosts";
}

CrawlConfig config_for(const CrawlCase& param) {
  CrawlConfig config;
  config.workers = param.workers;
  config.obey_robots = false;
  return config;
}

class WholeSite : public testing::TestWithParam<CrawlCase> {};

TEST_P(WholeSite, IsFetchedOnce) {
  MemorySite site;
  build_site(site, GetParam().shape, GetParam().hosts);
  FlakyFetcher counting(site, 0, 0);
  Crawler crawler(counting, config_for(GetParam()));
  const Crawler::Summary summary = crawler.run(seeds_of(GetParam().hosts));
  EXPECT_EQ(summary.pages, static_cast<std::size_t>(kSitePages));
  EXPECT_EQ(summary.fetches, static_cast<std::uint64_t>(kSitePages + GetParam().hosts - 1));
  for (int page = 0; page < kSitePages; ++page)
    EXPECT_EQ(counting.attempts(page_url(page, GetParam().hosts)), 1);
}

INSTANTIATE_TEST_SUITE_P(Grid, WholeSite,
                         testing::ValuesIn(cases({Shape::kChain, Shape::kStar, Shape::kTree, Shape::kRing,
                                                  Shape::kMesh},
                                                 {1, 2, 4}, {1, 3})),
                         case_name);

class PoliteCrawl : public testing::TestWithParam<CrawlCase> {};

TEST_P(PoliteCrawl, TakesItsTime) {
  MemorySite site;
  build_site(site, GetParam().shape, GetParam().hosts);
  CrawlConfig config = config_for(GetParam());
  config.frontier = {100, 1};
  Crawler crawler(site, config);
  const Crawler::Summary summary = crawler.run(seeds_of(GetParam().hosts));
  EXPECT_EQ(summary.pages, static_cast<std::size_t>(kSitePages));
  const std::uint64_t fetches = crawler.stats().host("h0.test").fetches;
  EXPECT_GE(summary.duration, static_cast<Millis>(fetches - 1) * 100);
}

INSTANTIATE_TEST_SUITE_P(Grid, PoliteCrawl,
                         testing::ValuesIn(cases({Shape::kStar, Shape::kTree}, {1, 3}, {1, 4})), case_name);

class RobotsCrawl : public testing::TestWithParam<CrawlCase> {};

TEST_P(RobotsCrawl, LeavesOutWhatIsForbidden) {
  MemorySite site;
  build_site(site, GetParam().shape, GetParam().hosts);
  for (int host = 0; host < GetParam().hosts; ++host) {
    site.add_page("http://h" + std::to_string(host) + ".test/robots.txt",
                  "User-agent: *\nDisallow: /p12\nCrawl-delay: 1\n");
  }
  CrawlConfig config = config_for(GetParam());
  config.obey_robots = true;
  Crawler crawler(site, config);
  const Crawler::Summary summary = crawler.run(seeds_of(GetParam().hosts));
  EXPECT_EQ(summary.pages, static_cast<std::size_t>(kSitePages - 1));
  EXPECT_FALSE(crawler.pages().find(page_url(12, GetParam().hosts)));
  EXPECT_EQ(crawler.stats().totals().forbidden, 1U);
  EXPECT_EQ(crawler.robots_stats().loads, static_cast<std::uint64_t>(GetParam().hosts));
}

INSTANTIATE_TEST_SUITE_P(Grid, RobotsCrawl,
                         testing::ValuesIn(cases({Shape::kStar, Shape::kTree, Shape::kChain}, {1, 2, 4},
                                                 {1, 3})),
                         case_name);

class FlakyCrawl : public testing::TestWithParam<CrawlCase> {};

TEST_P(FlakyCrawl, TriesAgain) {
  MemorySite site;
  build_site(site, GetParam().shape, GetParam().hosts);
  FlakyFetcher flaky(site, 2, 503);
  Crawler crawler(flaky, config_for(GetParam()));
  const Crawler::Summary summary = crawler.run(seeds_of(GetParam().hosts));
  EXPECT_EQ(summary.pages, static_cast<std::size_t>(kSitePages));
  EXPECT_EQ(flaky.total(), (kSitePages + GetParam().hosts - 1) * 3);
  EXPECT_EQ(crawler.stats().totals().retries,
            static_cast<std::uint64_t>(kSitePages + GetParam().hosts - 1) * 2);
  EXPECT_GE(summary.duration, 2000);
}

INSTANTIATE_TEST_SUITE_P(Grid, FlakyCrawl,
                         testing::ValuesIn(cases({Shape::kStar, Shape::kTree}, {1, 2, 4}, {1, 2})),
                         case_name);

class SearchedCrawl : public testing::TestWithParam<CrawlCase> {};

TEST_P(SearchedCrawl, CanBeSearchedMeanwhile) {
  MemorySite site;
  build_site(site, GetParam().shape, GetParam().hosts);
  CrawlConfig config = config_for(GetParam());
  config.keep_text_index = true;
  Crawler crawler(site, config);
  std::vector<std::size_t> most(3);
  run_threads(3, [&](int thread) {
    if (thread == 0) {
      most[0] = crawler.run(seeds_of(GetParam().hosts)).pages;
      return;
    }
    for (int i = 0; i < 8; ++i)
      most[thread] = std::max(most[thread], crawler.index().search("heron", 100).size());
  });
  EXPECT_EQ(most[0], static_cast<std::size_t>(kSitePages));
  EXPECT_LE(most[1], static_cast<std::size_t>(kSitePages));
  EXPECT_EQ(crawler.index().search("heron", 100).size(), static_cast<std::size_t>(kSitePages));
  EXPECT_EQ(crawler.index().search("number7", 100).size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Grid, SearchedCrawl,
                         testing::ValuesIn(cases({Shape::kStar, Shape::kTree}, {1, 3}, {1, 3})), case_name);

class WatchedCrawl : public testing::TestWithParam<CrawlCase> {};

TEST_P(WatchedCrawl, ShowsItsProgress) {
  MemorySite site;
  build_site(site, GetParam().shape, GetParam().hosts);
  ProgressBoard board(GetParam().workers);
  Crawler crawler(site, config_for(GetParam()), &board);
  run_threads(2, [&](int thread) {
    if (thread == 0) {
      crawler.run(seeds_of(GetParam().hosts));
      return;
    }
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(board.snapshot().size(), static_cast<std::size_t>(GetParam().workers));
  });
  EXPECT_EQ(board.active(), 0U);
  EXPECT_EQ(board.finished(), static_cast<std::uint64_t>(kSitePages + GetParam().hosts - 1));
}

INSTANTIATE_TEST_SUITE_P(Grid, WatchedCrawl,
                         testing::ValuesIn(cases({Shape::kStar, Shape::kTree}, {1, 2, 4}, {1})), case_name);

class StoppedCrawl : public testing::TestWithParam<CrawlCase> {};

TEST_P(StoppedCrawl, EndsEarly) {
  MemorySite site;
  build_site(site, GetParam().shape, GetParam().hosts);
  Crawler crawler(site, config_for(GetParam()));
  Crawler::Summary summary;
  run_threads(2, [&](int thread) {
    if (thread == 0) {
      summary = crawler.run(seeds_of(GetParam().hosts));
    } else {
      crawler.stop();
    }
  });
  EXPECT_LE(summary.pages, static_cast<std::size_t>(kSitePages));
  EXPECT_LE(summary.pages, summary.fetches);
}

INSTANTIATE_TEST_SUITE_P(Grid, StoppedCrawl,
                         testing::ValuesIn(cases({Shape::kStar, Shape::kMesh}, {1, 2, 4}, {1, 2})),
                         case_name);

class CheckpointedCrawl : public testing::TestWithParam<CrawlCase> {};

TEST_P(CheckpointedCrawl, GoesOnWhereItWas) {
  MemorySite site;
  build_site(site, GetParam().shape, GetParam().hosts);
  Checkpoint state;
  Crawler first(site, config_for(GetParam()));
  run_threads(2, [&](int thread) {
    if (thread == 0) {
      first.run(seeds_of(GetParam().hosts));
    } else {
      state = first.checkpoint();
      first.stop();
    }
  });
  const auto read = Checkpoint::read(state.write());
  ASSERT_TRUE(read.has_value());
  Crawler second(site, config_for(GetParam()));
  second.restore(*read);
  const Crawler::Summary summary = second.run(seeds_of(GetParam().hosts));
  EXPECT_EQ(summary.pages, static_cast<std::size_t>(kSitePages));
}

INSTANTIATE_TEST_SUITE_P(Grid, CheckpointedCrawl,
                         testing::ValuesIn(cases({Shape::kTree, Shape::kMesh}, {1, 2, 4}, {1, 2})),
                         case_name);

class PageLimit : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(PageLimit, IsKept) {
  const auto [limit, workers] = GetParam();
  MemorySite site;
  build_site(site, Shape::kMesh, 1);
  CrawlConfig config = config_for({Shape::kMesh, workers, 1});
  config.max_pages = limit;
  Crawler crawler(site, config);
  EXPECT_EQ(crawler.run(seeds_of(1)).pages, static_cast<std::size_t>(std::min(limit, kSitePages)));
}

INSTANTIATE_TEST_SUITE_P(Grid, PageLimit,
                         testing::Combine(testing::Values(1, 5, 100), testing::Values(1, 3)));

class DepthLimit : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(DepthLimit, IsKept) {
  const auto [depth, workers] = GetParam();
  MemorySite site;
  build_site(site, Shape::kTree, 1);
  CrawlConfig config = config_for({Shape::kTree, workers, 1});
  config.max_depth = depth;
  Crawler crawler(site, config);
  constexpr std::size_t kUpTo[] = {1, 4, 13};
  EXPECT_EQ(crawler.run(seeds_of(1)).pages, kUpTo[depth]);
}

INSTANTIATE_TEST_SUITE_P(Grid, DepthLimit, testing::Combine(testing::Values(0, 1, 2), testing::Values(1, 3)));

TEST(Crawler, FollowsRedirectsButNotForever) {
  MemorySite site;
  site.add_redirect("http://a/", "/1");
  for (int i = 1; i < 10; ++i) site.add_redirect("http://a/" + std::to_string(i), std::to_string(i + 1));
  site.add_page("http://a/3x", "x");
  CrawlConfig config;
  config.max_redirects = 4;
  Crawler crawler(site, config);
  EXPECT_EQ(crawler.run({"http://a/"}).pages, 0U);
  EXPECT_EQ(crawler.stats().totals().redirects, 5U);
}

TEST(Crawler, StaysOnItsHosts) {
  MemorySite site;
  site.add_page("http://a/", "<a href='http://b/'>b</a><a href='/x'>x</a>");
  site.add_page("http://a/x", "x");
  site.add_page("http://b/", "b");
  Crawler staying(site, {});
  EXPECT_EQ(staying.run({"http://a/"}).pages, 2U);
  CrawlConfig config;
  config.stay_on_hosts = false;
  Crawler leaving(site, config);
  EXPECT_EQ(leaving.run({"http://a/"}).pages, 3U);
}

TEST(Crawler, MarksDuplicatesAndRanksPages) {
  MemorySite site;
  site.add_page("http://a/", "<a href='/x'>x</a><a href='/y'>y</a>");
  site.add_page("http://a/x", "same");
  site.add_page("http://a/y", "same");
  Crawler crawler(site, {});
  crawler.run({"http://a/", "not an address"});
  EXPECT_EQ(crawler.pages().stats().duplicates, 1U);
  const LinkGraph graph(crawler.pages().all());
  EXPECT_EQ(graph.linking_to("http://a/x"), std::vector<std::string>{"http://a/"});
}

TEST(Crawler, BrokenRobotsForbidTheHost) {
  MemorySite site;
  build_site(site, Shape::kStar, 1);
  FetchResult broken;
  broken.status = 500;
  site.add("http://h0.test/robots.txt", broken);
  Crawler crawler(site, {});
  EXPECT_EQ(crawler.run(seeds_of(1)).pages, 0U);
}

}  // namespace
}  // namespace crawl
