#include "detecting.h"

namespace heddle::detect {
namespace {

using trace::EventKind;
using trace::Trace;
using trace::TraceBuilder;

struct Locks {
  TraceBuilder b;
  TraceBuilder::Location x = b.global(), y = b.global(), gate = b.global();
  TraceBuilder::Thread main = b.main_thread();

  std::vector<LockOrderCycle> cycles() const { return detect_all(b.build()).cycles; }
};

void take_both(TraceBuilder::Thread thread, TraceBuilder::Location first, TraceBuilder::Location second,
               uint64_t site = 1) {
  thread.lock(first).at(site).lock(second).at(site + 1).unlock(second).unlock(first);
}

TEST(LockOrder, OppositeOrdersAreACycle) {
  Locks l;
  auto one = l.main.fork(), two = l.main.fork();
  take_both(one, l.x, l.y, 10);
  take_both(two, l.y, l.x, 20);
  const Trace trace = l.b.build();
  const auto cycles = detect_all(trace).cycles;
  ASSERT_EQ(cycles.size(), 1u);
  ASSERT_EQ(cycles[0].edges.size(), 2u);
  const auto& [first, second] = std::pair(cycles[0].edges[0], cycles[0].edges[1]);
  EXPECT_EQ(first.thread, one.index());
  EXPECT_EQ(second.thread, two.index());
  EXPECT_EQ(trace.sites()[first.held.site].offset, 10u);
  EXPECT_EQ(trace.sites()[first.wanted.site].offset, 11u);
  EXPECT_EQ(trace.sites()[second.held.site].offset, 20u);
  EXPECT_EQ(trace.sites()[second.wanted.site].offset, 21u);
  EXPECT_EQ(first.wanted.offset, l.y.offset);
  EXPECT_EQ(second.held.offset, l.y.offset);
  EXPECT_EQ(trace.events()[second.held.event].kind, EventKind::kLock);
}

TEST(LockOrder, RingsAtTheSameSitesAreToldApartByTheirLocks) {
  Locks l;
  const auto z = l.b.global();
  auto one = l.main.fork(), two = l.main.fork();
  for (const auto& second : {l.y, z}) {
    take_both(one, l.x, second, 10);
    take_both(two, second, l.x, 20);
  }
  EXPECT_EQ(l.cycles().size(), 2u);
}

// The threads of the first lock are joined before those of the last begin: of the many rings of dependencies
// none can come to pass.
TEST(LockOrder, ManyRingsThatCannotComeToPassAreDismissedSoon) {
  constexpr uint32_t kLocks = 8, kThreads = 4;
  Locks l;
  std::vector<TraceBuilder::Location> locks;
  for (uint32_t i = 0; i < kLocks; ++i) locks.push_back(l.b.global());
  std::vector<std::vector<TraceBuilder::Thread>> threads(kLocks);
  const auto begin = [&](uint32_t lock) {
    for (uint32_t i = 0; i < kThreads; ++i) threads[lock].push_back(l.main.fork());
  };
  const auto work = [&](uint32_t lock) {
    for (TraceBuilder::Thread& thread : threads[lock]) {
      for (int round = 0; round < 4; ++round) {
        take_both(thread, locks[lock], locks[(lock + 1) % kLocks]);
        thread.fork();  // begins an interval
      }
    }
  };
  for (uint32_t lock = 0; lock + 1 < kLocks; ++lock) begin(lock);
  for (uint32_t lock = 0; lock + 1 < kLocks; ++lock) work(lock);
  for (TraceBuilder::Thread& thread : threads[0]) l.main.join(thread);
  begin(kLocks - 1);
  work(kLocks - 1);
  const Detections found = detect_all(l.b.build());
  EXPECT_TRUE(found.cycles.empty());
  EXPECT_TRUE(found.cycles_complete);
}

TEST(LockOrder, TheSameOrderIsNone) {
  Locks l;
  auto one = l.main.fork(), two = l.main.fork();
  take_both(one, l.x, l.y);
  take_both(two, l.x, l.y);
  EXPECT_TRUE(l.cycles().empty());
}

TEST(LockOrder, OneThreadCannotWaitForItself) {
  Locks l;
  auto one = l.main.fork();
  take_both(one, l.x, l.y);
  take_both(one, l.y, l.x);
  EXPECT_TRUE(l.cycles().empty());
}

TEST(LockOrder, AGateLockKeepsThemApart) {
  Locks l;
  auto one = l.main.fork(), two = l.main.fork();
  one.lock(l.gate);
  take_both(one, l.x, l.y);
  one.unlock(l.gate);
  two.lock(l.gate);
  take_both(two, l.y, l.x);
  two.unlock(l.gate);
  EXPECT_TRUE(l.cycles().empty());
  take_both(two, l.y, l.x);
  EXPECT_EQ(l.cycles().size(), 1u);
}

TEST(LockOrder, AGateHeldForReadingByBothIsNone) {
  Locks l;
  auto one = l.main.fork(), two = l.main.fork();
  one.read_lock(l.gate);
  take_both(one, l.x, l.y);
  one.read_unlock(l.gate);
  two.read_lock(l.gate);
  take_both(two, l.y, l.x);
  EXPECT_EQ(l.cycles().size(), 1u);
}

TEST(LockOrder, ThreadsThatAreJoinedInBetweenDoNotMeet) {
  Locks l;
  auto one = l.main.fork();
  take_both(one, l.x, l.y);
  l.main.join(one);
  auto two = l.main.fork();
  take_both(two, l.y, l.x);
  EXPECT_TRUE(l.cycles().empty());
}

TEST(LockOrder, TheParentBeforeForkingDoesNotMeetTheChild) {
  Locks l;
  take_both(l.main, l.x, l.y);
  auto one = l.main.fork();
  take_both(one, l.y, l.x);
  EXPECT_TRUE(l.cycles().empty());
  take_both(l.main, l.x, l.y);
  EXPECT_EQ(l.cycles().size(), 1u);
}

TEST(LockOrder, TryAndTimedLocksAreNotWaitedAtForGood) {
  Locks l;
  auto one = l.main.fork(), two = l.main.fork(), three = l.main.fork();
  take_both(one, l.x, l.y);
  two.lock(l.y).try_lock(l.x).unlock(l.x).unlock(l.y);
  three.lock(l.y).lock(l.x).flag(trace::event_flag::kTimed).unlock(l.x).unlock(l.y);
  EXPECT_TRUE(l.cycles().empty());
}

TEST(LockOrder, WhatWasTakenByTryingIsHeld) {
  Locks l;
  auto one = l.main.fork(), two = l.main.fork();
  take_both(one, l.x, l.y);
  two.try_lock(l.y).lock(l.x).unlock(l.x).unlock(l.y);
  EXPECT_EQ(l.cycles().size(), 1u);
}

TEST(LockOrder, InnerLocksOfRecursiveMutexesAddNothing) {
  Locks l;
  auto one = l.main.fork(), two = l.main.fork();
  one.lock(l.x).lock(l.y).lock(l.x).flag(trace::event_flag::kRecursive);
  one.unlock(l.x).flag(trace::event_flag::kRecursive).unlock(l.y).unlock(l.x);
  take_both(two, l.x, l.y);
  EXPECT_TRUE(l.cycles().empty());
}

TEST(LockOrder, ReadersDoNotWaitForReaders) {
  Locks l;
  auto one = l.main.fork(), two = l.main.fork();
  one.read_lock(l.x).read_lock(l.y).read_unlock(l.y).read_unlock(l.x);
  two.read_lock(l.y).read_lock(l.x).read_unlock(l.x).read_unlock(l.y);
  EXPECT_TRUE(l.cycles().empty());
}

TEST(LockOrder, AWriterWaitsForAReader) {
  Locks l;
  auto one = l.main.fork(), two = l.main.fork();
  one.read_lock(l.x).lock(l.y).unlock(l.y).read_unlock(l.x);
  two.read_lock(l.y).lock(l.x).unlock(l.x).read_unlock(l.y);
  EXPECT_EQ(l.cycles().size(), 1u);
}

TEST(LockOrder, LongRingsAreFound) {
  for (size_t length = 3; length <= 6; ++length) {
    TraceBuilder b;
    auto main = b.main_thread();
    std::vector<TraceBuilder::Location> forks;
    for (size_t i = 0; i < length; ++i) forks.push_back(b.global());
    for (size_t i = 0; i < length; ++i)
      take_both(main.fork(), forks[i], forks[(i + 1) % length], 10 * (i + 1));
    const auto cycles = detect_all(b.build()).cycles;
    ASSERT_EQ(cycles.size(), 1u) << length;
    ASSERT_EQ(cycles[0].edges.size(), length);
    for (size_t i = 0; i < length; ++i)
      EXPECT_EQ(cycles[0].edges[i].wanted.offset, cycles[0].edges[(i + 1) % length].held.offset);
  }
}

TEST(LockOrder, CyclesOfTheSamePlacesAreCounted) {
  Locks l;
  for (int i = 0; i < 2; ++i) {
    auto one = l.main.fork(), two = l.main.fork();
    take_both(one, l.x, l.y, 10);
    take_both(two, l.y, l.x, 20);
  }
  const auto cycles = l.cycles();
  ASSERT_EQ(cycles.size(), 1u);
  EXPECT_EQ(cycles[0].count, 4u);
}

}  // namespace
}  // namespace heddle::detect
