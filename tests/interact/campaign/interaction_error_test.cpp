#include "interact/campaign/interaction_error.h"

#include <gtest/gtest.h>

namespace heddle::interact {
namespace {

using Statements = std::vector<StatementIndex>;
constexpr uint32_t kFailure = 3;

// Changes 1, 2 and 3; 1 and 2 meet in 8, which is an interaction location.
ChangeGraph graph() {
  ChangeGraph graph;
  for (const StatementIndex change : {1, 2, 3}) graph.nodes.push_back({.statement = change});
  graph.nodes.push_back({.statement = 8, .kind = ChangeNode::Kind::kInteraction, .changes = {1, 2}});
  graph.nodes.push_back({.statement = 9, .kind = ChangeNode::Kind::kOutput, .changes = {1, 2, 3}});
  return graph;
}

TriedInput tried(Statements sequence, Statements nodes, bool fails, uint32_t inputs = 1) {
  return {.sequence = std::move(sequence),
          .nodes = std::move(nodes),
          .failures = fails ? std::vector<uint32_t>{kFailure} : std::vector<uint32_t>{},
          .inputs = inputs};
}

TEST(InteractionError, NeedsAllOfItsChangesInOrder) {
  const std::vector<InteractionError> errors = find_interaction_errors(
      graph(), {tried({1, 2}, {1, 2, 8}, true), tried({1, 1, 2, 1}, {1, 2, 8}, true, 4),
                tried({1}, {1}, false, 2), tried({2}, {2, 8}, false), tried({2, 1}, {2, 8, 1}, false)});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].failure, kFailure);
  EXPECT_EQ(errors[0].critical, (Statements{1, 2}));
  EXPECT_EQ(errors[0].skipping, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(errors[0].failing, 5u);
  EXPECT_EQ(errors[0].locations, (Statements{8}));
}

TEST(InteractionError, IsNoneIfOneChangeAloneFails) {
  EXPECT_TRUE(find_interaction_errors(
                  graph(), {tried({1, 2}, {1, 2, 8}, true), tried({2}, {2, 8}, true), tried({1}, {1}, false)})
                  .empty());
}

// Nothing can skip 1, so no input that skips it fails.
TEST(InteractionError, HasWhatNoInputSkips) {
  const std::vector<InteractionError> errors =
      find_interaction_errors(graph(), {tried({1, 2}, {1, 2, 8}, true), tried({1}, {1}, false)});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].critical, (Statements{1, 2}));
  EXPECT_EQ(errors[0].skipping, (std::vector<uint32_t>{0, 1}));
}

TEST(InteractionError, IsNoneIfAllInputsExecuteAllChanges) {
  EXPECT_TRUE(
      find_interaction_errors(graph(), {tried({1, 2}, {1, 2, 8}, true), tried({1, 2}, {1, 2, 8}, false)})
          .empty());
}

// 3 is executed by all that fail, but meets the others nowhere that they come through.
TEST(InteractionError, LeavesOutWhatMeetsTheOthersNowhere) {
  const std::vector<InteractionError> errors =
      find_interaction_errors(graph(), {tried({1, 3, 2}, {1, 3, 2, 8}, true), tried({3}, {3}, false),
                                        tried({1}, {1}, false), tried({2}, {2}, false)});
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].critical, (Statements{1, 2}));
}

TEST(InteractionError, IsNoneWhereNothingFails) {
  EXPECT_TRUE(find_interaction_errors(graph(), {tried({1, 2}, {1, 2, 8}, false)}).empty());
  EXPECT_TRUE(find_interaction_errors(graph(), {}).empty());
}

TEST(InteractionError, TellsFailuresApart) {
  std::vector<TriedInput> inputs = {tried({1, 2}, {1, 2, 8}, true), tried({1}, {1}, false),
                                    tried({2}, {2}, false)};
  inputs.push_back(tried({1, 3}, {1, 3, 9}, true));
  inputs.back().failures = {4};
  const std::vector<InteractionError> errors = find_interaction_errors(graph(), inputs);
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].critical, (Statements{1, 2}));
  EXPECT_EQ(errors[1].critical, (Statements{1, 3}));
  EXPECT_EQ(errors[1].locations, (Statements{9}));
}

// Against all subsequences of short sequences.
TEST(CommonSequence, IsTheLongestOne) {
  const auto is_part = [](const Statements& part, const Statements& whole) {
    size_t next = 0;
    for (const StatementIndex statement : whole)
      if (next < part.size() && part[next] == statement) ++next;
    return next == part.size();
  };
  uint32_t state = 7;
  const auto random = [&](uint32_t below) { return (state = state * 1103515245 + 12345) / 65536 % below; };
  for (int round = 0; round < 300; ++round) {
    Statements a(random(8)), b(random(8));
    for (StatementIndex& statement : a) statement = random(3);
    for (StatementIndex& statement : b) statement = random(3);
    size_t longest = 0;
    for (uint32_t chosen = 0; chosen < 1u << a.size(); ++chosen) {
      Statements part;
      for (size_t i = 0; i < a.size(); ++i)
        if ((chosen >> i & 1) != 0) part.push_back(a[i]);
      if (is_part(part, b)) longest = std::max(longest, part.size());
    }
    const Statements common = common_sequence(a, b);
    EXPECT_EQ(common.size(), longest);
    EXPECT_TRUE(is_part(common, a) && is_part(common, b));
  }
}

}  // namespace
}  // namespace heddle::interact
