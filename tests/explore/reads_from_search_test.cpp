#include "explore/reads_from_search.h"

#include <gtest/gtest.h>

#include "observations.h"

namespace heddle {
namespace {

using trace::ConstraintKind;
using trace::EventKind;
using Pairs = std::set<ReadsFromPair>;

Pairs possible(const ReadsFrom& pairs) {
  return {pairs.possible().begin(), pairs.possible().end()};
}

// A thread sets (10) what another one reads twice (20, 21).
Observation read_before_and_after() {
  return HandMade()
      .step(1, EventKind::kRead, 1, 20)
      .step(0, EventKind::kWrite, 1, 10)
      .step(1, EventKind::kAtomicRead, 1, 21)
      .seen;
}

TEST(ReadsFrom, SeesWhatWasReadAndWhatCouldBe) {
  ReadsFrom pairs;
  EXPECT_TRUE(pairs.add(read_before_and_after()).is_new);
  EXPECT_EQ(pairs.seen(), (Pairs{{20}, {21, 10}}));
  EXPECT_EQ(possible(pairs), (Pairs{{20}, {20, 10}, {21}, {21, 10}}));
  EXPECT_EQ(pairs.writers(20), (std::set<uint64_t>{10}));
  EXPECT_TRUE(pairs.writers(99).empty());
  EXPECT_FALSE(pairs.add(read_before_and_after()).is_new);
}

TEST(ReadsFrom, TellsCombinationsApart) {
  ReadsFrom pairs;
  const uint64_t combination = pairs.add(read_before_and_after()).combination;
  EXPECT_EQ(pairs.add(read_before_and_after()).combination, combination);
  Observation other = read_before_and_after();
  std::swap(other.steps[0], other.steps[1]);
  EXPECT_NE(pairs.add(other).combination, combination);
}

TEST(ReadsFrom, KnowsWhoseWriteItWas) {
  ReadsFrom pairs;
  pairs.add(HandMade()
                .step(0, EventKind::kWrite, 1, 10)
                .step(0, EventKind::kRead, 1, 11)
                .step(1, EventKind::kWrite, 1, 10)
                .step(1, EventKind::kRead, 1, 11)
                .seen);
  EXPECT_EQ(pairs.seen(), (Pairs{{11, 10, true}}));
  EXPECT_EQ(possible(pairs), (Pairs{{11, 10, false}, {11, 10, true}}));
}

TEST(ReadsFrom, LocksReadFromLocks) {
  ReadsFrom pairs;
  pairs.add(HandMade()
                .step(0, EventKind::kLock, 1, 10)
                .step(0, EventKind::kUnlock, 1, 11)
                .step(1, EventKind::kLock, 1, 20)
                .step(1, EventKind::kUnlock, 1, 21)
                .seen);
  EXPECT_EQ(pairs.seen(), (Pairs{{10}, {20, 10}}));
}

TEST(ReadsFrom, WhatOneLockProtectsFollowsFromTheLock) {
  ReadsFrom pairs;
  HandMade protected_twice;
  for (const uint32_t thread : {0u, 1u}) {
    protected_twice.step(thread, EventKind::kLock, 1, 10)
        .step(thread, EventKind::kRead, 2, 20)
        .step(thread, EventKind::kWrite, 2, 21)
        .step(thread, EventKind::kUnlock, 1, 11);
  }
  pairs.add(protected_twice.seen);
  EXPECT_EQ(pairs.seen(), (Pairs{{10}, {10, 10}, {20}, {20, 21}}));
  EXPECT_EQ(possible(pairs), (Pairs{{10}, {10, 10}}));
}

// Main writes (10) before it creates the reader, and (11) after it has joined it.
TEST(ReadsFrom, CreationAndJoiningLeaveNoChoice) {
  ReadsFrom pairs;
  pairs.add(HandMade()
                .step(0, EventKind::kWrite, 1, 10)
                .step(0, EventKind::kFork, 0, 1, /*peer=*/1)
                .step(0, EventKind::kFork, 0, 1, /*peer=*/2)
                .step(1, EventKind::kRead, 1, 20)
                .step(2, EventKind::kWrite, 1, 12)
                .step(0, EventKind::kJoin, 0, 2, /*peer=*/1)
                .step(0, EventKind::kWrite, 1, 11)
                .seen);
  EXPECT_EQ(possible(pairs), (Pairs{{20, 10}, {20, 12}}));
}

TEST(ReadsFrom, LooksAtOverlappingBytes) {
  ReadsFrom pairs;
  Observation seen = HandMade().step(0, EventKind::kWrite, 1, 10).step(1, EventKind::kRead, 1, 20).seen;
  seen.steps[0].operations[0].size = 64;
  seen.steps[1].operations[0].offset = 44;
  seen.steps[1].operations[0].size = 4;
  pairs.add(seen);
  EXPECT_EQ(pairs.seen(), (Pairs{{20, 10}}));
  seen.steps[1].operations[0].offset = 64;
  pairs.add(seen);
  EXPECT_EQ(pairs.seen(), (Pairs{{20}, {20, 10}}));
}

TEST(ReadsFrom, ACompareExchangeThatFailsWritesNothing) {
  ReadsFrom pairs;
  Observation seen =
      HandMade().step(0, EventKind::kAtomicUpdate, 1, 10).step(1, EventKind::kRead, 1, 20).seen;
  seen.steps[0].operations[0].flags |= trace::event_flag::kFailed;
  pairs.add(seen);
  EXPECT_EQ(pairs.seen(), (Pairs{{10}, {20}}));
}

TEST(ReadsFromSearch, BeginsWithoutConstraints) {
  ReadsFromSearch rf(5);
  const Plan plan = *rf.next();
  EXPECT_EQ(plan.then, (trace::PolicySpec{.kind = trace::PolicyKind::kReadsFrom, .seed = 5}));
  EXPECT_TRUE(plan.guidance.constraints.empty());
  // A program without anything shared has nothing to constrain.
  rf.learn({});
  EXPECT_TRUE(rf.next()->guidance.constraints.empty());
}

TEST(ReadsFromSearch, SoonWantsWhatItHasNotSeen) {
  ReadsFromSearch rf(1);
  rf.next();
  rf.learn(read_before_and_after());
  bool from_the_write = false, before_the_write = false;
  for (int i = 0; i < 20; ++i) {
    const Plan plan = *rf.next();
    for (const trace::ConstraintRecord& constraint : plan.guidance.constraints) {
      EXPECT_EQ(constraint.write, 10u);
      from_the_write |= constraint.read == 20 && constraint.kind == ConstraintKind::kReadsFrom;
      before_the_write |= constraint.read == 21 && constraint.kind == ConstraintKind::kReadsBefore;
    }
    rf.learn(read_before_and_after());
  }
  EXPECT_TRUE(from_the_write);
  EXPECT_TRUE(before_the_write);
  EXPECT_EQ(rf.coverage(), 2u);
}

TEST(ReadsFromSearch, KeepsOnlySchedulesThatShowedSomethingNew) {
  ReadsFromSearch rf(1);
  for (int i = 0; i < 50; ++i) {
    rf.next();
    rf.learn(read_before_and_after());
  }
  EXPECT_EQ(rf.corpus_size(), 1u);
  Observation other = read_before_and_after();
  std::swap(other.steps[0], other.steps[1]);
  rf.next();
  rf.learn(other);
  EXPECT_EQ(rf.corpus_size(), 2u);
}

// None of the entries is rare: the search goes on all the same.
TEST(ReadsFromSearch, GoesOnWhenOthersHaveSeenItAll) {
  ReadsFromSearch rf(1);
  rf.next();
  rf.learn(read_before_and_after());
  for (int i = 0; i < 10; ++i) rf.overhear(read_before_and_after());
  Observation other = read_before_and_after();
  std::swap(other.steps[0], other.steps[1]);
  rf.overhear(other);
  EXPECT_FALSE(rf.next()->guidance.constraints.empty());
  EXPECT_EQ(rf.coverage(), 3u);
}

TEST(ReadsFromSearch, WantsOfOneReadOnlyOneThing) {
  ReadsFromSearch rf(3);
  for (int i = 0; i < 500; ++i) {
    std::map<uint64_t, std::set<ConstraintKind>> wanted;
    const Plan plan = *rf.next();
    for (const trace::ConstraintRecord& constraint : plan.guidance.constraints) {
      if (constraint.kind != ConstraintKind::kReadsFromAnother)
        wanted[constraint.read].insert(constraint.kind);
    }
    for (const auto& [read, kinds] : wanted) EXPECT_EQ(kinds.size(), 1u);
    Observation seen = read_before_and_after();
    if (i % 3 == 0) std::swap(seen.steps[0], seen.steps[1]);
    if (i % 3 == 1) std::swap(seen.steps[1], seen.steps[2]);
    rf.learn(seen);
  }
}

TEST(ReadsFromSearch, ConstraintsOnTheInitialValueAreAboutAllWriters) {
  ReadsFrom pairs;
  pairs.add(HandMade()
                .step(0, EventKind::kWrite, 1, 10)
                .step(0, EventKind::kWrite, 1, 11)
                .step(1, EventKind::kRead, 1, 20)
                .seen);
  const auto records = constraint_records({{{20}, true}, {{20, 10, true}, false}}, pairs);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].write, 10u);
  EXPECT_EQ(records[0].kind, ConstraintKind::kReadsBefore);
  EXPECT_EQ(records[1].write, 11u);
  EXPECT_EQ(records[1].kind, ConstraintKind::kReadsBefore);
  EXPECT_EQ(records[2].kind, ConstraintKind::kReadsFromAnother);
  EXPECT_EQ(records[2].own, 1u);
}

}  // namespace
}  // namespace heddle
