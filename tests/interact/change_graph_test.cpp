#include "interact/change_graph.h"

#include <gtest/gtest.h>

#include "hand_graph.h"

namespace heddle::interact {
namespace {

using Edges = std::set<std::pair<StatementIndex, StatementIndex>>;
using Statements = std::set<StatementIndex>;
using Kind = ChangeNode::Kind;

// ALGORITHMS, section 7, and the paper's figures 4 and 5. Statement 0 stands for nothing but the beginning.
class WorkedExample : public ::testing::Test {
 protected:
  const std::vector<StatementIndex> changes_{1, 5, 7};
  const Flow flow_ =
      simple_flow({{1}, {2}, {3}, {4, 6}, {5}, {13}, {7, 9}, {8}, {13}, {10, 13}, {11}, {}, {}, {2}}, {10});
  const Dependences dependences_ = close_dependences(14, changes_,
                                                     {{3, 13},
                                                      {4, 3, false},
                                                      {4, 13},
                                                      {5, 3, false},
                                                      {6, 3, false},
                                                      {6, 13},
                                                      {7, 6, false},
                                                      {7, 1},
                                                      {7, 5},
                                                      {8, 6, false},
                                                      {8, 7},
                                                      {8, 4},
                                                      {9, 6, false},
                                                      {9, 13},
                                                      {10, 9, false},
                                                      {10, 8},
                                                      {11, 9, false}});
};

TEST_F(WorkedExample, HasTheEdgesOfThePaperAndNoOthers) {
  const ChangeGraph graph = build_change_graph({flow_, changes_, dependences_, {}});
  EXPECT_EQ(edges_of(graph), (Edges{{1, 5},
                                    {1, 7},
                                    {1, 10},
                                    {5, 5},
                                    {5, 7},
                                    {5, 10},
                                    {1, 8},
                                    {5, 8},
                                    {7, 8},
                                    {8, 5},
                                    {8, 7},
                                    {8, 10}}));
  EXPECT_EQ(nodes_of(graph, Kind::kChange), (Statements{1, 5, 7}));
  EXPECT_EQ(nodes_of(graph, Kind::kInteraction), Statements{8});
  EXPECT_EQ(nodes_of(graph, Kind::kOutput), Statements{10});
  EXPECT_EQ(starts_of(graph), Statements{1});
}

TEST_F(WorkedExample, UnimportantLocationsAddNothingHere) {
  const ChangeGraph graph =
      build_change_graph({flow_, changes_, dependences_, {}}, {.with_unimportant = true});
  EXPECT_EQ(nodes_of(graph, Kind::kInteraction), Statements{8});
}

TEST_F(WorkedExample, NodesTellWhichChangesMeetThere) {
  const ChangeGraph graph = build_change_graph({flow_, changes_, dependences_, {}});
  EXPECT_EQ(graph.nodes[graph.node_of(8)].changes, (std::vector<StatementIndex>{1, 5, 7}));
  EXPECT_EQ(graph.nodes[graph.node_of(7)].changes, (std::vector<StatementIndex>{1, 5}));
  EXPECT_TRUE(graph.nodes[graph.node_of(7)].is_location());
  EXPECT_FALSE(graph.nodes[graph.node_of(5)].is_location());
  EXPECT_EQ(graph.node_of(9), kNone);
  EXPECT_EQ(graph.successors(graph.node_of(7)), std::vector<uint32_t>{graph.node_of(8)});
}

TEST_F(WorkedExample, OnlyEdgesToTheLocationAreByDependence) {
  const ChangeGraph graph = build_change_graph({flow_, changes_, dependences_, {}});
  for (const ChangeEdge& edge : graph.edges) {
    const StatementIndex from = graph.nodes[edge.from].statement;
    const StatementIndex to = graph.nodes[edge.to].statement;
    EXPECT_EQ(edge.is_by_dependence, to == 8) << from << " to " << to;
    EXPECT_EQ(edge.is_next, to != 8 || from == 7) << from << " to " << to;
  }
}

TEST(ChangeGraph, OutputsEndASequenceUnlessTheyAreToBePassed) {
  const Flow flow = simple_flow({{1}, {2}, {3}, {}}, {1, 3});  // change, output, change, output
  const Dependences none = close_dependences(4, {0, 2}, {});
  EXPECT_EQ(edges_of(build_change_graph({flow, {0, 2}, none, {}})), (Edges{{0, 1}, {2, 3}}));
  EXPECT_EQ(edges_of(build_change_graph({flow, {0, 2}, none, {}}, {.past_outputs = true})),
            (Edges{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(ChangeGraph, SequencesBeginBehindWhateverIsNoChange) {
  const Flow flow = simple_flow({{1, 2}, {2}, {3}, {}}, {0});
  EXPECT_EQ(starts_of(build_change_graph({flow, {1, 2, 3}, close_dependences(4, {1, 2, 3}, {}), {}})),
            (Statements{1, 2}));
}

TEST(ChangeGraph, AChangeThatIsNeverReachedHasNoEdgesAndInfluencesNothing) {
  const Flow flow = simple_flow({{2}, {2}, {3}, {}}, {3});  // nothing leads to 1
  const Dependences both = close_dependences(4, {0, 1}, {{2, 0}, {2, 1}});
  const ChangeGraph graph = build_change_graph({flow, {0, 1}, both, {}});
  EXPECT_EQ(edges_of(graph), (Edges{{0, 3}}));
  EXPECT_FALSE(graph.nodes[graph.node_of(1)].is_reached);
  EXPECT_TRUE(graph.successors(graph.node_of(1)).empty());
  EXPECT_EQ(nodes_of(graph, Kind::kInteraction), Statements{});
}

TEST(ChangeGraph, WhatMerelyDependsOnALocationIsShownOnRequest) {
  const Flow flow = simple_flow({{1}, {2}, {3}, {4}, {}}, {4});
  const Dependences chain = close_dependences(5, {0, 1}, {{2, 0}, {2, 1}, {3, 2}, {4, 3}});
  const ChangeGraph graph = build_change_graph({flow, {0, 1}, chain, {}});
  EXPECT_EQ(edges_of(graph), (Edges{{0, 1}, {0, 2}, {1, 2}, {2, 4}}));
  const ChangeGraph all = build_change_graph({flow, {0, 1}, chain, {}}, {.with_unimportant = true});
  EXPECT_EQ(edges_of(all), (Edges{{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}, {3, 4}}));
}

TEST(ChangeGraph, ChangesThatEnterALoopOfDependencesMeetWhereTheyEnter) {
  // 2: s = s + t + <0>;  3: t = s + <1>;  4: u = t; in a loop
  const Flow flow = simple_flow({{1}, {2}, {3}, {4}, {2, 5}, {}}, {5});
  const Dependences loop = close_dependences(6, {0, 1}, {{2, 0}, {2, 3}, {3, 2}, {3, 1}, {4, 3}});
  EXPECT_EQ(nodes_of(build_change_graph({flow, {0, 1}, loop, {}}), Kind::kInteraction), (Statements{2, 3}));
}

TEST(ChangeGraph, WhatIsOnlyDecidedByChangesIsNoLocation) {
  // if (<0>) if (<1>) { 2: x = 1; }  3: use(x)
  const Flow flow = simple_flow({{1, 3}, {2, 3}, {3}, {4}, {}}, {4});
  const Dependences nested = close_dependences(5, {0, 1}, {{1, 0, false}, {2, 1, false}, {3, 2}});
  EXPECT_EQ(nodes_of(build_change_graph({flow, {0, 1}, nested, {}}), Kind::kInteraction), Statements{3});
}

TEST(ChangeGraph, LibraryCodeIsPassedThrough) {
  const Flow flow = simple_flow({{1}, {2}, {3}, {4}, {}}, {4});
  const Dependences chain = close_dependences(5, {0, 1}, {{2, 0}, {2, 1}, {3, 2}});
  const std::vector<bool> own{true, true, false, true, true};
  EXPECT_EQ(nodes_of(build_change_graph({flow, {0, 1}, chain, own}), Kind::kInteraction), Statements{3});
}

TEST(ChangeGraph, ReturnsMatchCallsAndGoToAnyCallerOnTheWayOut) {
  // main: 0 <change>, 1 calls f, 2 output, 3 calls f, 4 output.  f: 5 <change>.  dead: 6 calls f, 7 output.
  Flow flow = simple_flow({{1}, {2}, {3}, {4}, {}, {}, {7}, {}}, {2, 4, 7});
  flow.entries = {0, 5, 6};
  flow.points[1].calls = flow.points[3].calls = flow.points[6].calls = {1};
  flow.points[5].procedure = 1;
  flow.points[6].procedure = flow.points[7].procedure = 2;
  const ChangeGraph graph =
      build_change_graph({flow, {0, 5}, close_dependences(8, {0, 5}, {}), {}}, {.past_outputs = true});
  EXPECT_EQ(edges_of(graph), (Edges{{0, 5}, {5, 2}, {5, 4}, {2, 5}}));
}

TEST(ChangeGraph, ALocationIsReachedWhenWhatItCallsHasReturned) {
  // 0 <change>; 1 and 2: z = a + g(), the call between; 3 output.  g: 4 <change>
  Flow flow = simple_flow({{1}, {2}, {3}, {}, {}}, {3});
  flow.entries = {0, 4};
  flow.points[1].calls = {1};
  flow.points[1].is_end = false;
  flow.points[2].statement = 1;
  flow.points[2].is_start = false;
  flow.points[4].procedure = 1;
  const Dependences sum = close_dependences(5, {0, 4}, {{1, 0}, {1, 4}});
  const ChangeGraph graph = build_change_graph({flow, {0, 4}, sum, {}});
  EXPECT_EQ(edges_of(graph), (Edges{{0, 4}, {0, 1}, {4, 1}, {1, 3}}));
  EXPECT_EQ(graph.nodes[graph.node_of(1)].points, std::vector<PointIndex>{2});
}

}  // namespace
}  // namespace heddle::interact
