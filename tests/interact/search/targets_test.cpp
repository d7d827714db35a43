// Targets and distances on graphs made by hand.
#include "interact/search/targets.h"

#include <gtest/gtest.h>

#include "../hand_graph.h"

namespace heddle::interact {
namespace {

// 0 → 1 (change) → 2 → 3 (change) → 4 → 5 (output), and 2 → 6 (change) → 5.
struct Diamond {
  Flow flow = simple_flow({{1}, {2}, {3, 6}, {4}, {5}, {}, {5}}, {5});
  std::vector<StatementIndex> changes = {1, 3, 6};
  Dependences dependences = close_dependences(7, changes, {});
  ChangeGraph graph = build_change_graph({flow, changes, dependences, {}});
};

TEST(SearchTargets, AreTheSuccessorsOfTheLastNode) {
  Diamond d;
  Targets targets(d.flow, d.graph, Guide::kGraph);
  const uint32_t one = d.graph.node_of(1);
  const uint32_t three = d.graph.node_of(3);
  EXPECT_EQ(targets.cost(kNone, {0}), 4u);   // 1 is a step away
  EXPECT_EQ(targets.cost(one, {3}), 1u);     // 3 itself
  EXPECT_EQ(targets.cost(one, {4, 2}), 4u);  // from the nearer point
  EXPECT_GT(targets.cost(one, {5}), 10'000u);
  EXPECT_EQ(targets.cost(three, {4}), 4u);  // the output
}

TEST(SearchTargets, ThoseThatWereReachedAreDearer) {
  Diamond d;
  Targets targets(d.flow, d.graph, Guide::kGraph);
  const uint32_t one = d.graph.node_of(1);
  const uint32_t three = d.graph.node_of(3);
  const uint64_t before = targets.cost(one, {3});
  EXPECT_TRUE(targets.reach({one, three, d.graph.node_of(5)}));
  EXPECT_EQ(targets.reached_edges(), 2u);
  EXPECT_GT(targets.cost(one, {3}), before);
  EXPECT_EQ(targets.cost(one, {6}), 1u);
  EXPECT_FALSE(targets.reach({one, three}));
  // The output ends the sequence: another one begins.
  EXPECT_EQ(targets.cost(d.graph.node_of(5), {1}), targets.cost(kNone, {1}));
}

TEST(SearchTargets, InIsolationTheyAreFlat) {
  Diamond d;
  Targets targets(d.flow, d.graph, Guide::kIsolated);
  for (const uint32_t after : {kNone, d.graph.node_of(1), d.graph.node_of(3)}) {
    EXPECT_EQ(targets.cost(after, {3}), 1u);
    EXPECT_EQ(targets.cost(after, {5}), 1u);
  }
  targets.reach({d.graph.node_of(1), d.graph.node_of(3)});
  EXPECT_EQ(targets.cost(kNone, {3}), 9u);  // the output is nearer
}

TEST(SearchTargets, UndirectedThereAreNone) {
  Diamond d;
  Targets targets(d.flow, d.graph, Guide::kUndirected);
  EXPECT_EQ(targets.cost(kNone, {0}), targets.cost(d.graph.node_of(1), {5}));
}

// 1 decides over 2, which decides over 3; 4 is under nothing.
TEST(DeepestChanges, AreThoseThatDecideOverNoOthers) {
  const Flow flow = simple_flow({{1}, {2, 4}, {3, 4}, {4}, {}});
  EXPECT_EQ(deepest_changes(flow, {1, 2, 3}), std::vector<StatementIndex>{3});
  EXPECT_EQ(deepest_changes(flow, {1, 2}), std::vector<StatementIndex>{2});
  EXPECT_EQ(deepest_changes(flow, {1, 4}), (std::vector<StatementIndex>{1, 4}));
  EXPECT_EQ(deepest_changes(flow, {0, 3}), (std::vector<StatementIndex>{0, 3}));
}

// The call at 1 is under 0's decision: so is what it calls.
TEST(DeepestChanges, ControlGoesIntoCallees) {
  Flow flow = simple_flow({{1, 2}, {2}, {}});
  Point callee;
  callee.procedure = 1;
  callee.statement = 3;
  callee.returns = true;
  flow.points.push_back(callee);
  flow.entries.push_back(3);
  flow.points[1].calls = {1};
  flow.statements = 4;
  EXPECT_EQ(deepest_changes(flow, {0, 3}), std::vector<StatementIndex>{3});
}

// While 0: if 1, break: both decide over each other.
TEST(DeepestChanges, OfALoopAllMayBe) {
  const Flow flow = simple_flow({{1, 2}, {0, 2}, {}});
  EXPECT_EQ(deepest_changes(flow, {0, 1}), (std::vector<StatementIndex>{0, 1}));
}

}  // namespace
}  // namespace heddle::interact
