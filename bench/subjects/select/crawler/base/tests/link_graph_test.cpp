#include "link_graph.h"

#include <gtest/gtest.h>

namespace crawl {
namespace {

std::string name(int number) {
  return "http://h/" + std::to_string(number);
}

/// Pages 0 to count-1, each with links to the next `fan` ones, in a ring if asked to.
std::vector<PageStore::RecordPtr> pages(int count, int fan, bool ring) {
  std::vector<PageStore::RecordPtr> made;
  for (int i = 0; i < count; ++i) {
    auto record = std::make_shared<PageRecord>();
    record->url = name(i);
    for (int step = 1; step <= fan; ++step)
      record->links.push_back(name(ring ? (i + step) % count : i + step));
    made.push_back(std::move(record));
  }
  return made;
}

class Graphs : public testing::TestWithParam<std::tuple<int, int, bool>> {};

TEST_P(Graphs, HaveTheirLinksAndRanks) {
  const auto [count, fan, ring] = GetParam();
  const LinkGraph graph(pages(count, fan, ring));
  EXPECT_EQ(graph.size(), static_cast<std::size_t>(count));
  EXPECT_LE(graph.links(), static_cast<std::size_t>(count) * fan);
  if (ring) {
    EXPECT_TRUE(graph.dangling().empty());
  }
  if (!ring) {
    EXPECT_EQ(graph.dangling().size(), static_cast<std::size_t>(fan));
  }
  double sum = 0;
  for (const auto& [url, rank] : graph.rank(20)) sum += rank;
  EXPECT_NEAR(sum, 1, 1e-9);
  const auto distances = graph.distances(name(0));
  EXPECT_EQ(distances.size(), static_cast<std::size_t>(count));
  for (const auto& [url, distance] : distances) EXPECT_LE(distance, count);
}

INSTANTIATE_TEST_SUITE_P(Grid, Graphs,
                         testing::Combine(testing::Values(1, 2, 5, 20), testing::Values(1, 3),
                                          testing::Bool()));

TEST(LinkGraph, KnowsWhoLinks) {
  const LinkGraph graph(pages(4, 2, false));
  EXPECT_EQ(graph.linking_to(name(2)), (std::vector<std::string>{name(0), name(1)}));
  EXPECT_TRUE(graph.linking_to(name(99)).empty());
  EXPECT_TRUE(graph.distances(name(99)).empty());
}

TEST(LinkGraph, MuchLinkedPagesRankHigher) {
  const LinkGraph graph(pages(6, 2, false));
  const auto ranks = graph.rank(30);
  EXPECT_GT(ranks.at(name(4)), ranks.at(name(0)));
}

}  // namespace
}  // namespace crawl
