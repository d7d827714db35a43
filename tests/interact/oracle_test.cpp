#include <gtest/gtest.h>

#include "hand_graph.h"
#include "interact/distance.h"
#include "path_oracle.h"
#include "random_flow.h"

namespace heddle::interact {
namespace {

using Edges = std::set<std::pair<StatementIndex, StatementIndex>>;

constexpr uint32_t kGraphs = 2000;

Edges edges_where(const ChangeGraph& graph, bool ChangeEdge::* holds) {
  Edges edges;
  for (const ChangeEdge& edge : graph.edges)
    if (edge.*holds) edges.emplace(graph.nodes[edge.from].statement, graph.nodes[edge.to].statement);
  return edges;
}

class Oracle : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(WithAndWithoutExceptions, Oracle, ::testing::Bool());

TEST_P(Oracle, TheGraphIsWhatEnumerationOfPathsFinds) {
  uint32_t locations = 0;
  uint32_t edges = 0;
  for (uint32_t seed = 0; seed < kGraphs; ++seed) {
    std::mt19937 random(seed);
    const RandomGraph made = random_graph(random, GetParam());
    const ChangeGraphOptions options{.with_unimportant = seed % 3 == 1, .past_outputs = seed % 2 == 1};
    const ChangeGraph graph = build_change_graph({made.flow, made.changes, made.dependences, {}}, options);
    const PathOracle oracle(made.flow, made.changes, made.dependences, options);
    ASSERT_EQ(nodes_of(graph, ChangeNode::Kind::kInteraction), oracle.locations()) << "seed " << seed;
    ASSERT_EQ(edges_where(graph, &ChangeEdge::is_next), oracle.next_edges()) << "seed " << seed;
    ASSERT_EQ(edges_where(graph, &ChangeEdge::is_by_dependence), oracle.dependence_edges())
        << "seed " << seed;
    ASSERT_EQ(starts_of(graph), oracle.starts()) << "seed " << seed;
    locations += static_cast<uint32_t>(oracle.locations().size());
    edges += static_cast<uint32_t>(oracle.next_edges().size());
  }
  EXPECT_GT(locations, kGraphs / 8) << "too few for the test to mean anything";
  EXPECT_GT(edges, kGraphs);
}

TEST_P(Oracle, DistancesAreTheShortestPaths) {
  uint32_t finite = 0;
  for (uint32_t seed = 0; seed < kGraphs; ++seed) {
    std::mt19937 random(seed);
    const RandomGraph made = random_graph(random, GetParam());
    const PathOracle oracle(made.flow, made.changes, made.dependences, {});
    const auto last = static_cast<PointIndex>(made.flow.points.size() - 1);
    std::set<PointIndex> targets{std::uniform_int_distribution<PointIndex>(0, last)(random)};
    if (seed % 2 == 0) targets.insert(std::uniform_int_distribution<PointIndex>(0, last)(random));
    const DistanceFinder finder(made.flow);
    const Distances distances = finder.to({targets.begin(), targets.end()});
    for (PointIndex p = 0; p <= last; ++p) {
      if (!oracle.is_live(p)) continue;
      ASSERT_EQ(distances.from(p), oracle.distance(p, targets)) << "seed " << seed << " from " << p;
      finite += distances.from(p).has_value() ? 1 : 0;
    }
  }
  EXPECT_GT(finite, kGraphs);
}

}  // namespace
}  // namespace heddle::interact
