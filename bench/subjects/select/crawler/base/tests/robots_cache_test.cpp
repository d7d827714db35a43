#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "robots.h"
#include "threads.h"

namespace crawl {
namespace {

Url url_on(int host) {
  return *Url::parse("http://h" + std::to_string(host) + "/page");
}

/// Forbids /private everywhere; hosts named in `broken` do not answer.
class CountingLoader {
 public:
  explicit CountingLoader(std::string broken = "") : broken_(std::move(broken)) {}

  RobotsRules operator()(const Url& url) {
    ++loads_;
    EXPECT_EQ(url.target(), "/robots.txt");
    if (url.host == broken_) throw std::runtime_error("no answer");
    return RobotsRules::parse("User-agent: *\nDisallow: /private\n", "heron");
  }
  int loads() const { return loads_; }

 private:
  const std::string broken_;
  std::atomic<int> loads_{0};
};

TEST(RobotsCache, LoadsOncePerHost) {
  CountingLoader loader;
  RobotsCache cache(std::ref(loader));
  for (int i = 0; i < 6; ++i) EXPECT_FALSE(cache.rules_for(url_on(i % 2))->allows("/private/x"));
  EXPECT_EQ(loader.loads(), 2);
  EXPECT_EQ(cache.stats().lookups, 6U);
  EXPECT_EQ(cache.stats().hosts, 2U);
}

TEST(RobotsCache, ForgottenIsLoadedAgain) {
  CountingLoader loader;
  RobotsCache cache(std::ref(loader));
  cache.rules_for(url_on(1));
  EXPECT_TRUE(cache.forget("h1"));
  EXPECT_FALSE(cache.forget("h1"));
  cache.rules_for(url_on(1));
  EXPECT_EQ(loader.loads(), 2);
}

TEST(RobotsCache, AFailureForbidsTheHost) {
  CountingLoader loader("h1");
  RobotsCache cache(std::ref(loader));
  EXPECT_FALSE(cache.rules_for(url_on(1))->allows("/"));
  EXPECT_TRUE(cache.rules_for(url_on(2))->allows("/"));
  EXPECT_EQ(cache.stats().failures, 1U);
}

class RobotsThreads : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(RobotsThreads, ShareOneLoadPerHost) {
  const auto [threads, hosts] = GetParam();
  CountingLoader loader;
  RobotsCache cache(std::ref(loader));
  std::vector<int> good(threads);
  run_threads(threads, [&, hosts = hosts](int thread) {
    for (int i = 0; i < 6; ++i) {
      const auto rules = cache.rules_for(url_on((thread + i) % hosts));
      good[thread] += rules && rules->allows("/public") && !rules->allows("/private");
    }
  });
  EXPECT_EQ(good, std::vector<int>(threads, 6));
  EXPECT_EQ(loader.loads(), hosts);
}

INSTANTIATE_TEST_SUITE_P(Grid, RobotsThreads,
                         testing::Combine(testing::Values(2, 4, 8), testing::Values(1, 2, 5)));

class RobotsForget : public testing::TestWithParam<int> {};

TEST_P(RobotsForget, MayHappenAtAnyTime) {
  CountingLoader loader;
  RobotsCache cache(std::ref(loader));
  std::vector<int> good(GetParam());
  run_threads(GetParam(), [&](int thread) {
    for (int i = 0; i < 8; ++i) {
      if (thread == 0) {
        cache.forget("h0");
        ++good[thread];
      } else {
        good[thread] += !cache.rules_for(url_on(0))->allows("/private");
      }
    }
  });
  EXPECT_EQ(good, std::vector<int>(GetParam(), 8));
  EXPECT_LE(cache.stats().hosts, 1U);
}

INSTANTIATE_TEST_SUITE_P(Threads, RobotsForget, testing::Values(2, 4, 8));

}  // namespace
}  // namespace crawl
