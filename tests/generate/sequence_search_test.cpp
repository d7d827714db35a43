// Growing call sequences: what is tried, what is pruned, what is kept.
#include "generate/sequence_search.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "generate/test_queue.h"
#include "model_class.h"

namespace heddle::generate {
namespace {

uint64_t explore_all(SequenceSearch* search) {
  EXPECT_TRUE(search->begin());
  uint64_t expanded = 0;
  while (true) {
    const Expected<std::optional<uint32_t>> node = search->expand_next();
    EXPECT_TRUE(node);
    if (!node || !*node) return expanded;
    ++expanded;
  }
}

bool has_sequence(const SequenceSearch& search, const std::vector<OperationId>& calls) {
  return std::any_of(search.nodes().begin(), search.nodes().end(),
                     [&](const SequenceNode& node) { return node.calls == calls; });
}

TEST(SequenceSearch, FindsItsWayToEachAbstractState) {
  ModelRunner runner;
  const OperationTable operations = model_operations();
  SequenceSearch search(runner, operations);
  explore_all(&search);
  EXPECT_EQ(search.counts().states, 3U);
  EXPECT_TRUE(has_sequence(search, {kAdd}));
  EXPECT_TRUE(has_sequence(search, {kAdd, kAdd}));
}

TEST(SequenceSearch, DoesNotExtendCallsThatAddNothing) {
  ModelRunner runner;
  const OperationTable operations = model_operations();
  SequenceSearch search(runner, operations);
  explore_all(&search);
  // The first reset covers its write; afterwards nothing is new, and the object is as empty as before.
  EXPECT_FALSE(has_sequence(search, {kReset, kReset}));
  EXPECT_GT(search.counts().not_extended, 0U);
  EXPECT_GT(search.counts().not_tried, 0U);
}

TEST(SequenceSearch, PruningSparesMostSequencesAndLosesNoCoverage) {
  const OperationTable operations = model_operations();
  ModelRunner pruned_runner;
  SequenceSearch pruned(pruned_runner, operations, {.longest = 6});
  explore_all(&pruned);
  ModelRunner full_runner;
  SequenceSearch full(full_runner, operations, {.longest = 6, .prunes = false});
  explore_all(&full);
  EXPECT_EQ(pruned.counts().raising_calls, full.counts().raising_calls);
  EXPECT_LT(pruned.counts().sequences * 20, full.counts().sequences);
}

TEST(SequenceSearch, AStateReachedAtFullLengthOnlyIsNotExplored) {
  ModelRunner runner;
  const OperationTable operations = model_operations();
  SequenceSearch search(runner, operations, {.longest = 1});
  explore_all(&search);
  EXPECT_EQ(search.counts().states, 1U) << "that of the constructor";
}

TEST(SequenceSearch, ACallThatBlocksIsSeenButNotExtended) {
  ModelRunner runner;
  const OperationTable operations = model_operations();
  SequenceSearch search(runner, operations);
  explore_all(&search);
  const SequenceNode& fresh = search.nodes().front();
  const auto take = std::find_if(fresh.explored.begin(), fresh.explored.end(),
                                 [](const ExploredCall& call) { return call.operation == kTake; });
  ASSERT_NE(take, fresh.explored.end());
  EXPECT_EQ(take->end, RunEnd::kBlocked);
  EXPECT_FALSE(has_sequence(search, {kTake}));
  EXPECT_TRUE(search.unusable().empty()) << "it does not block everywhere";
}

// A shelf of names, whose state only says whether it is empty. To remove what is there covers more.
class ShelfRunner : public CallRunner {
 public:
  static constexpr OperationId kPutB{1}, kPutA{2}, kRemoveA{3};

  static OperationTable operations() {
    OperationTable table;
    const auto add = [&](const std::string& name, std::vector<std::string> arguments) {
      Operation operation;
      operation.id = OperationId{static_cast<uint32_t>(table.operations.size())};
      operation.is_constructor = table.operations.empty();
      operation.callable = static_cast<uint32_t>(operation.id);
      operation.label = name;
      operation.arguments = std::move(arguments);
      table.operations.push_back(std::move(operation));
    };
    add("Shelf()", {});
    add("put(b)", {"b"});
    add("put(a)", {"a"});
    add("remove(a)", {"a"});
    table.constructors = 1;
    return table;
  }

  using CallRunner::run_alone;
  Expected<CallRun> run_alone(const CallPlan& plan, bool /*observes*/, uint64_t /*schedule*/) override {
    CallRun run;
    run.results.resize(plan.before.size());
    bool has_a = false;
    for (const OperationId call : plan.before) {
      // So much of it that the search goes on with it first.
      if (call == kPutB) run.last.coverage = {10, 11, 12};
      if (call == kPutA) run.last.coverage = {20};
      if (call == kRemoveA) run.last.coverage = {30, 31};
      if (call == kRemoveA && has_a) run.last.coverage.push_back(32);
      has_a = call == kPutA || (has_a && call != kRemoveA);
    }
    run.state = plan.before.empty() ? "empty" : "some";
    return run;
  }
};

TEST(SequenceSearch, ACallIsTriedAgainIfItsArgumentMayBeThere) {
  ShelfRunner runner;
  const OperationTable operations = ShelfRunner::operations();
  SequenceSearch search(runner, operations, {.longest = 3});
  explore_all(&search);
  const auto& raises = search.raises();
  EXPECT_TRUE(std::any_of(raises.begin(), raises.end(), [](const std::vector<uint64_t>& added) {
    return added == std::vector<uint64_t>{32};
  })) << "removed where it was there";
}

// Two boxes: what is moved from the other one depends on what is in that.
class BoxesRunner : public CallRunner {
 public:
  static OperationTable operations() {
    OperationTable table = ShelfRunner::operations();
    table.has_other = true;
    table.operations[1].label = "other.put(b)";
    return table;
  }

  using CallRunner::run_alone;
  Expected<CallRun> run_alone(const CallPlan& plan, bool /*observes*/, uint64_t /*schedule*/) override {
    CallRun run;
    run.results.resize(plan.before.size());
    bool is_filled = false;
    for (const OperationId call : plan.before) {
      run.last.coverage = {10};
      if (call == ShelfRunner::kPutB) run.last.coverage.clear();
      if (call == ShelfRunner::kRemoveA && is_filled) run.last.coverage = {11};
      is_filled = is_filled || call == ShelfRunner::kPutB;
    }
    run.state = "empty";
    if (is_filled) run.other_state = "filled";
    return run;
  }
};

TEST(SequenceSearch, TheStateOfTheSecondObjectCounts) {
  BoxesRunner runner;
  const OperationTable operations = BoxesRunner::operations();
  SequenceSearch search(runner, operations, {.longest = 3});
  explore_all(&search);
  EXPECT_TRUE(has_sequence(search, {ShelfRunner::kPutB}));
  EXPECT_EQ(search.counts().raising_calls, 2U);
}

TEST(TestQueue, PairsThatOnlyMeetUnderOneLockAreNotWorthATest) {
  ModelRunner runner;
  const OperationTable operations = model_operations();
  SequenceSearch search(runner, operations);
  explore_all(&search);
  TestQueue queue(search, operations, {});
  for (uint32_t node = 0; node < search.nodes().size(); ++node) queue.add_node(node);
  bool has_reset = false;
  while (const std::optional<CallPlan> plan = queue.next()) {
    const std::vector<OperationId> calls = {plan->threads[0][0], plan->threads[1][0]};
    const bool resets = std::count(calls.begin(), calls.end(), kReset) > 0;
    const bool wakes = std::count(calls.begin(), calls.end(), kTake) > 0;
    has_reset = has_reset || resets;
    EXPECT_TRUE(resets || wakes) << operations[calls[0]].label << " with " << operations[calls[1]].label;
  }
  EXPECT_TRUE(has_reset);
}

TEST(TestQueue, AConflictThatWasTriedPromisesNothingMore) {
  ModelRunner runner;
  const OperationTable operations = model_operations();
  SequenceSearch search(runner, operations);
  explore_all(&search);
  TestQueue queue(search, operations, {});
  queue.add_node(0);
  size_t first = 0;
  while (queue.next()) ++first;
  EXPECT_GT(first, 0U);
  queue.add_node(0);
  EXPECT_FALSE(queue.next());
}

}  // namespace
}  // namespace heddle::generate
