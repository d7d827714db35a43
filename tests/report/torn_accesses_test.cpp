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

}  // namespace
}  // namespace heddle
