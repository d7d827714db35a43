#include "report/wait_history.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::Trace;
using trace::TraceBuilder;

// A waiter, a thread that notifies, and one more that waits as well.
class WaitHistoryTest : public testing::Test {
 protected:
  // Looks at `flag` under the lock, and waits. The wait is the event before the last.
  void look_and_wait(TraceBuilder::Thread& thread, TraceBuilder::Location flag) {
    thread.lock(mutex_).read(flag);
    wait(thread);
  }
  void wait(TraceBuilder::Thread& thread) { thread.event(EventKind::kCondWait, condition_).unlock(mutex_); }
  void wake(TraceBuilder::Thread& thread) {
    thread.event(EventKind::kCondWake, condition_, notifier_.index() + 1).lock(mutex_);
  }
  uint64_t last_event() { return builder_.tables().events.size() - 1; }

  WaitHistory history_of(TraceBuilder::Thread thread) {
    trace::BlockedRecord blocked{};
    blocked.thread = thread.index();
    blocked.wait = trace::WaitKind::kCond;
    blocked.object = condition_.object;
    blocked.offset = condition_.offset;
    trace_ = builder_.build();
    return find_wait_history(trace_, blocked);
  }

  TraceBuilder builder_;
  TraceBuilder::Location flag_ = builder_.global();
  TraceBuilder::Location other_flag_ = builder_.global();
  TraceBuilder::Location mutex_ = builder_.global();
  TraceBuilder::Location condition_ = builder_.global(48);
  TraceBuilder::Thread main_ = builder_.main_thread();
  TraceBuilder::Thread waiter_ = main_.fork();
  TraceBuilder::Thread other_ = main_.fork();
  TraceBuilder::Thread notifier_ = main_.fork();
  Trace trace_;
};

TEST_F(WaitHistoryTest, NotifyBetweenLookAndWaitIsTooEarly) {
  waiter_.lock(mutex_).read(flag_);
  const uint64_t read = last_event();
  notifier_.write(flag_).notify_one(condition_, 0);
  const uint64_t notify = last_event();
  wait(waiter_);
  const WaitHistory history = history_of(waiter_);
  EXPECT_EQ(history.verdict, WaitVerdict::kMissed);
  ASSERT_TRUE(history.stale && history.notify);
  EXPECT_EQ(history.stale->read, read);
  EXPECT_EQ(history.stale->written, notify - 1);
  EXPECT_EQ(history.notify->event, notify);
  EXPECT_TRUE(history.notify->before_wait);
}

TEST_F(WaitHistoryTest, NotifyThatWokeAnotherIsToldWithWhatThatOneDid) {
  look_and_wait(waiter_, flag_);
  look_and_wait(other_, other_flag_);
  notifier_.write(flag_).notify_one(condition_, 1).end();
  wake(other_);
  const uint64_t woken = last_event() - 1;
  other_.read(other_flag_);
  wait(other_);
  const WaitHistory victim = history_of(waiter_);
  EXPECT_EQ(victim.verdict, WaitVerdict::kMissed);
  ASSERT_TRUE(victim.notify);
  EXPECT_FALSE(victim.notify->before_wait);
  ASSERT_EQ(victim.notify->woken.size(), 1u);
  EXPECT_EQ(victim.notify->woken[0].thread, other_.index());
  EXPECT_EQ(victim.notify->woken[0].wake, woken);
  EXPECT_EQ(victim.notify->woken[0].then, AfterWake::kWaitedAgain);
  EXPECT_EQ(history_of(other_).verdict, WaitVerdict::kIdle) << "its view still holds";
}

TEST_F(WaitHistoryTest, ThreadThatUsedItsWakeUpWentOnOrEnded) {
  look_and_wait(waiter_, flag_);
  look_and_wait(other_, flag_);
  notifier_.write(flag_).notify_one(condition_, 1);
  wake(other_);
  other_.read(flag_).write(other_flag_);
  EXPECT_EQ(history_of(waiter_).notify->woken[0].then, AfterWake::kWentOn);
  other_.unlock(mutex_).end();
  EXPECT_EQ(history_of(waiter_).notify->woken[0].then, AfterWake::kEnded);
}

TEST_F(WaitHistoryTest, ChangeThatNobodyAnnouncedIsMissed) {
  look_and_wait(waiter_, flag_);
  notifier_.write(flag_);
  const WaitHistory history = history_of(waiter_);
  EXPECT_EQ(history.verdict, WaitVerdict::kMissed);
  EXPECT_FALSE(history.notify);
}

TEST_F(WaitHistoryTest, NotifyBeforeTheChangeHasNotAnnouncedIt) {
  waiter_.lock(mutex_).read(flag_);
  notifier_.notify_one(condition_, 0);
  wait(waiter_);
  notifier_.write(flag_);
  const WaitHistory history = history_of(waiter_);
  ASSERT_TRUE(history.notify);
  EXPECT_TRUE(history.notify_before_change);
}

TEST_F(WaitHistoryTest, WaitWithoutLookingMissesTheNotifyBefore) {
  notifier_.lock(mutex_).notify_one(condition_, 0).unlock(mutex_);
  waiter_.lock(mutex_);
  wait(waiter_);
  const WaitHistory history = history_of(waiter_);
  EXPECT_EQ(history.verdict, WaitVerdict::kMissed);
  EXPECT_TRUE(history.notify->before_wait);
}

TEST_F(WaitHistoryTest, NotifyThatWokeSomebodyBeforeTheWaitIsNotMissed) {
  look_and_wait(other_, other_flag_);
  notifier_.write(other_flag_).notify_one(condition_, 1);
  wake(other_);
  other_.unlock(mutex_);
  look_and_wait(waiter_, flag_);
  const WaitHistory history = history_of(waiter_);
  EXPECT_EQ(history.verdict, WaitVerdict::kIdle);
  EXPECT_FALSE(history.notify);
}

TEST_F(WaitHistoryTest, CountOfWaitersIsNoCondition) {
  waiter_.lock(mutex_).read(other_flag_).write(other_flag_).read(flag_);
  wait(waiter_);
  notifier_.lock(mutex_).read(other_flag_).write(other_flag_).unlock(mutex_);
  EXPECT_EQ(history_of(waiter_).verdict, WaitVerdict::kIdle);
}

TEST_F(WaitHistoryTest, ConditionIsLookedForBehindTheLocksOfAWaitFunction) {
  const TraceBuilder::Location inner = builder_.global();
  waiter_.lock(mutex_).read(flag_).lock(inner).unlock(mutex_);
  waiter_.event(EventKind::kCondWait, condition_).unlock(inner);
  notifier_.write(flag_);
  EXPECT_TRUE(history_of(waiter_).stale);
}

TEST_F(WaitHistoryTest, WaiterThatNobodyNotifiesAndThatLooksAtNothingIsUnknown) {
  waiter_.lock(mutex_);
  wait(waiter_);
  EXPECT_EQ(history_of(waiter_).verdict, WaitVerdict::kUnknown);
}

}  // namespace
}  // namespace heddle
