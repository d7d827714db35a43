#include "report/torn_accesses.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::Trace;
using trace::TraceBuilder;

// Two threads and a shared variable.
class TornAccesses : public testing::Test {
 protected:
  std::vector<TornAccess> find(size_t limit = 8) {
    trace_ = builder_.build();
    return find_torn_accesses(trace_, {{x_.object, x_.offset, x_.size}}, first_.index(), limit);
  }

  void expect_events(const TornAccess& torn, uint64_t read, uint64_t between, uint64_t then) {
    EXPECT_EQ(torn.read, read);
    EXPECT_EQ(torn.between, between);
    EXPECT_EQ(torn.then, then);
  }

  TraceBuilder builder_;
  TraceBuilder::Location x_ = builder_.global();
  TraceBuilder::Thread main_ = builder_.main_thread();
  TraceBuilder::Thread first_ = main_.fork();   // events 0 and 1
  TraceBuilder::Thread second_ = main_.fork();  // events 2 and 3
  Trace trace_;
};

TEST_F(TornAccesses, LostUpdate) {
  second_.read(x_);           // 4
  first_.read(x_).write(x_);  // 5, 6
  second_.write(x_);          // 7
  auto torn = find();
  ASSERT_EQ(torn.size(), 1u);
  expect_events(torn[0], 4, 6, 7);
}

TEST_F(TornAccesses, UpdatesOneAfterTheOtherAreFine) {
  first_.read(x_).write(x_);
  second_.read(x_).write(x_);
  first_.read(x_).write(x_);
  EXPECT_TRUE(find().empty());
}

TEST_F(TornAccesses, AtomicUpdatesLoseNothing) {
  first_.atomic_read(x_);
  second_.atomic_update(x_);
  first_.atomic_update(x_);
  EXPECT_TRUE(find().empty());
}

TEST_F(TornAccesses, CheckThatNoLongerHoldsWhenItIsActedUpon) {
  first_.read(x_);             // 4
  second_.read(x_).write(x_);  // 5, 6
  first_.read(x_).write(x_);   // 7, 8
  auto torn = find();
  ASSERT_EQ(torn.size(), 1u);
  expect_events(torn[0], 4, 6, 7);
}

TEST_F(TornAccesses, OfTheSecondReadsOnlyTheLatestCounts) {
  for (int round = 0; round < 3; ++round) {
    first_.read(x_);
    second_.write(x_);
  }
  first_.read(x_);
  auto torn = find();
  ASSERT_EQ(torn.size(), 1u);
  expect_events(torn[0], 8, 9, 10);
}

TEST_F(TornAccesses, PollingByOthersIsNotReported) {
  second_.read(x_);
  first_.write(x_);
  second_.read(x_);
  EXPECT_TRUE(find().empty());
}

TEST_F(TornAccesses, WhoWaitsLetsOthersWrite) {
  auto condition = builder_.global(48);
  first_.read(x_).event(trace::EventKind::kCondWait, condition);
  second_.write(x_);
  first_.event(trace::EventKind::kCondWake, condition).read(x_);
  EXPECT_TRUE(find().empty());
}

TEST_F(TornAccesses, OtherLocationsDoNotMatter) {
  auto y = builder_.global();
  first_.read(y);
  second_.write(y);
  first_.write(y);
  EXPECT_TRUE(find().empty());
}

TEST_F(TornAccesses, LatestComeFirst) {
  for (int round = 0; round < 3; ++round) {
    second_.read(x_);
    first_.write(x_);
    second_.write(x_);
  }
  auto torn = find(2);
  ASSERT_EQ(torn.size(), 2u);
  expect_events(torn[0], 10, 11, 12);
  expect_events(torn[1], 7, 8, 9);
}

// submit_once(): if (contains()) return; add(), each under the lock.
class BrokenChecks : public TornAccesses {
 protected:
  enum Site : uint64_t { kThread = 1, kContains = 10, kAdd = 20 };

  BrokenChecks() { first_.call(kThread), second_.call(kThread); }

  void check(TraceBuilder::Thread& thread) {
    thread.lock(mutex_).at(kContains).read(x_).at(11).unlock(mutex_);
  }
  void add(TraceBuilder::Thread& thread) {
    thread.lock(mutex_).at(kAdd).read(x_).at(21).write(x_).at(22).unlock(mutex_);
  }
  std::vector<TornAccess> broken() {
    trace_ = builder_.build();
    return find_broken_checks(trace_);
  }

  TraceBuilder::Location mutex_ = builder_.global(40);
};

TEST_F(BrokenChecks, CheckedInOneCriticalSectionAndDoneInAnother) {
  check(first_);   // 4 to 6
  check(second_);  // 7 to 9
  add(second_);    // 10 to 13
  add(first_);     // 14 to 17
  const auto torn = broken();
  ASSERT_EQ(torn.size(), 1u);
  expect_events(torn[0], 5, 12, 15);
}

TEST_F(BrokenChecks, ACheckInsideALibraryIsTheLockAroundIt) {
  first_.lock(mutex_).at(kContains).unlock(mutex_);  // 4, 5
  add(second_);                                      // 6 to 9
  add(first_);                                       // 10 to 13
  const auto torn = broken();
  ASSERT_EQ(torn.size(), 1u);
  expect_events(torn[0], 4, 8, 11);
}

TEST_F(BrokenChecks, NothingCameBetween) {
  check(first_);
  add(first_);
  check(second_);
  add(second_);
  EXPECT_TRUE(broken().empty());
}

TEST_F(BrokenChecks, TwoCallsAreTwoPiecesOfWork) {
  check(first_);
  add(second_);
  first_.leave().call(kThread + 1);
  add(first_);
  EXPECT_TRUE(broken().empty());
}

TEST_F(BrokenChecks, WhoWaitsLetsOthersWrite) {
  auto condition = builder_.global(48);
  check(first_);
  first_.event(trace::EventKind::kCondWait, condition);
  add(second_);
  add(first_);
  EXPECT_TRUE(broken().empty());
}

TEST_F(BrokenChecks, LoopsThatLookAgainAtTheSamePlace) {
  check(first_);
  add(second_);
  check(first_);
  EXPECT_TRUE(broken().empty());
}

}  // namespace
}  // namespace heddle
