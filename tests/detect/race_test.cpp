// Which accesses happens-before leaves unordered: one test for each thing that orders threads.
#include "detecting.h"

namespace heddle::detect {
namespace {

using trace::EventKind;
using trace::MemoryOrder;
using trace::Trace;
using trace::TraceBuilder;

// Two threads that main has made, and a location that they share.
struct TwoThreads {
  TraceBuilder b;
  TraceBuilder::Location x = b.global();
  TraceBuilder::Thread main = b.main_thread();
  TraceBuilder::Thread one = main.fork();
  TraceBuilder::Thread two = main.fork();

  SitePairs races() const { return races_of(b); }
};

const SitePairs kOneRace{{1, 2}};

TEST(Race, UnorderedConflictingAccessesRace) {
  TwoThreads t;
  t.one.write(t.x).at(1);
  t.two.read(t.x).at(2);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, ReadsDoNotRace) {
  TwoThreads t;
  t.one.read(t.x).at(1);
  t.two.read(t.x).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, NeighboursInOneWordDoNotRace) {
  TwoThreads t;
  t.one.write(t.x.part(0, 4)).at(1);
  t.two.write(t.x.part(4, 4)).at(2);
  t.one.write(t.x.part(1, 1)).at(3);
  EXPECT_EQ(t.races(), SitePairs{});
  t.two.read(t.x.part(3, 2)).at(4);
  EXPECT_EQ(t.races(), (SitePairs{{1, 4}}));
}

TEST(Race, PartsOfAWordOnAStack) {
  TwoThreads t;
  const auto word = t.b.stack(t.one);
  t.one.write(word.part(0, 4)).at(1);
  t.two.read(word.part(4, 4)).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
  t.one.write(word).at(3);
  EXPECT_EQ(t.races(), (SitePairs{{2, 3}}));
}

TEST(Race, AnAccessAcrossWordsRacesInTheSecond) {
  TraceBuilder b;
  const auto memory = b.global(64);
  auto main = b.main_thread();
  auto one = main.fork();
  one.write(memory.part(4, 32)).at(1);
  main.read(memory.part(34, 1)).at(2);
  main.read(memory.part(36, 4)).at(3);
  EXPECT_EQ(races_of(b), kOneRace);
}

TEST(Race, ForkAndJoinOrder) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  main.write(x).at(1);
  auto child = main.fork();
  child.write(x).at(2);
  main.join(child).write(x).at(3);
  EXPECT_EQ(races_of(b), SitePairs{});
}

TEST(Race, WhatTheParentDoesAfterForkingIsUnordered) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.write(x).at(1);
  child.write(x).at(2);
  EXPECT_EQ(races_of(b), kOneRace);
}

TEST(Race, AMutexOrdersInItsObservedOrder) {
  TwoThreads t;
  const auto m = t.b.global();
  t.one.lock(m).write(t.x).at(1).unlock(m);
  t.two.lock(m).read(t.x).at(2).unlock(m);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, AnotherMutexDoesNotOrder) {
  TwoThreads t;
  const auto m = t.b.global(), n = t.b.global();
  t.one.lock(m).write(t.x).at(1).unlock(m);
  t.two.lock(n).read(t.x).at(2).unlock(n);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, AFailedTryLockDoesNotOrder) {
  TwoThreads t;
  const auto m = t.b.global();
  t.one.lock(m).write(t.x).at(1).unlock(m);
  t.two.try_lock(m).failed().read(t.x).at(2);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, InnerUnlocksOfARecursiveMutexPassNothingOn) {
  TwoThreads t;
  const auto m = t.b.global();
  t.one.lock(m).lock(m).flag(trace::event_flag::kRecursive).write(t.x).at(1);
  t.one.unlock(m).flag(trace::event_flag::kRecursive);
  t.two.lock(m).read(t.x).at(2);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, ReadersOfARwlockPassOnToWritersOnly) {
  TwoThreads t;
  const auto m = t.b.global();
  t.one.read_lock(m).write(t.x).at(1).read_unlock(m);
  t.two.read_lock(m).write(t.x).at(2).read_unlock(m);
  EXPECT_EQ(t.races(), kOneRace);
  t.main.lock(m).write(t.x).at(3).unlock(m);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, WritersOfARwlockPassOnToReaders) {
  TwoThreads t;
  const auto m = t.b.global();
  t.one.lock(m).write(t.x).at(1).unlock(m);
  t.two.read_lock(m).read(t.x).at(2).read_unlock(m);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, APostOrdersBeforeTheWait) {
  TwoThreads t;
  const auto s = t.b.global();
  t.one.write(t.x).at(1).sem_post(s).write(t.x).at(3);
  t.two.sem_wait(s).write(t.x).at(2);
  EXPECT_EQ(t.races(), (SitePairs{{2, 3}}));
}

TEST(Race, SeveralPostsAddUp) {
  TwoThreads t;
  const auto s = t.b.global(), y = t.b.global();
  t.one.write(t.x).at(1).sem_post(s);
  t.two.write(y).at(2).sem_post(s);
  t.main.sem_wait(s).sem_wait(s).read(t.x).at(3).read(y).at(4);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, ABarrierOrdersAllThatArrive) {
  TwoThreads t;
  const auto barrier = t.b.global(), y = t.b.global();
  t.one.write(t.x).at(1).barrier_arrive(barrier);
  t.two.write(y).at(2).barrier_arrive(barrier).barrier_leave(barrier).read(t.x).at(3);
  t.one.barrier_leave(barrier).read(y).at(4);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, ANotifyOrdersWhoItWokeOnly) {
  TwoThreads t;
  const auto m = t.b.global(), c = t.b.global();
  t.two.lock(m).cond_wait(c, m);
  t.one.write(t.x).at(1).notify_one(c).write(t.x).at(2);
  t.two.cond_wake(c, m, t.one).read(t.x).at(3);
  t.main.event(EventKind::kCondWake, c, 0).read(t.x).at(4);
  EXPECT_EQ(t.races(), (SitePairs{{2, 3}, {2, 4}}));
}

TEST(Race, AFutexWakeOrdersWhoItWoke) {
  TwoThreads t;
  const auto f = t.b.global();
  t.two.event(EventKind::kFutexWait, f);
  t.one.write(t.x).at(1).event(EventKind::kFutexWake, f, 1);
  t.two.event(EventKind::kFutexAwake, f, t.one.index() + 1).read(t.x).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, ASignalOrdersItsHandler) {
  TwoThreads t;
  t.one.write(t.x).at(1).event(EventKind::kSignalSend, {}, t.two.index() + 1);
  t.two.event(EventKind::kSignal, {}, 10).read(t.x).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, TheEndOfAOnceOrdersWhoPassesIt) {
  TwoThreads t;
  const auto once = t.b.global();
  t.one.event(EventKind::kOnceBegin, once).write(t.x).at(1).event(EventKind::kOnceEnd, once);
  t.two.event(EventKind::kOncePassed, once).read(t.x).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, AReleaseStoreOrdersTheAcquireLoad) {
  TwoThreads t;
  const auto a = t.b.global();
  t.one.write(t.x).at(1).atomic_write(a, MemoryOrder::kRelease);
  t.two.atomic_read(a, MemoryOrder::kAcquire).read(t.x).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, RelaxedAtomicsOrderNothing) {
  TwoThreads t;
  const auto a = t.b.global();
  t.one.write(t.x).at(1).atomic_write(a, MemoryOrder::kRelaxed);
  t.two.atomic_read(a, MemoryOrder::kAcquire).read(t.x).at(2);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, ALoadThatDoesNotAcquireOrdersNothing) {
  TwoThreads t;
  const auto a = t.b.global();
  t.one.write(t.x).at(1).atomic_write(a, MemoryOrder::kRelease);
  t.two.atomic_read(a, MemoryOrder::kRelaxed).read(t.x).at(2);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, AReleaseFenceMakesALaterRelaxedStoreRelease) {
  TwoThreads t;
  const auto a = t.b.global();
  t.one.write(t.x).at(1).fence(MemoryOrder::kRelease).atomic_write(a, MemoryOrder::kRelaxed);
  t.two.atomic_read(a, MemoryOrder::kAcquire).read(t.x).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, AnAcquireFenceMakesAnEarlierRelaxedLoadAcquire) {
  TwoThreads t;
  const auto a = t.b.global();
  t.one.write(t.x).at(1).fence(MemoryOrder::kRelease).atomic_write(a, MemoryOrder::kRelaxed);
  t.two.atomic_read(a, MemoryOrder::kRelaxed).fence(MemoryOrder::kAcquire).read(t.x).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, WhatComesAfterAReleaseFenceIsNotPassedOn) {
  TwoThreads t;
  const auto a = t.b.global();
  t.one.fence(MemoryOrder::kRelease).write(t.x).at(1).atomic_write(a, MemoryOrder::kRelaxed);
  t.two.atomic_read(a, MemoryOrder::kRelaxed).fence(MemoryOrder::kAcquire).read(t.x).at(2);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, AnUpdateContinuesWhatWasReleased) {
  TwoThreads t;
  const auto a = t.b.global();
  t.one.write(t.x).at(1).atomic_write(a, MemoryOrder::kRelease);
  t.two.atomic_update(a, MemoryOrder::kRelaxed);
  t.main.atomic_read(a, MemoryOrder::kAcquire).read(t.x).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
}

TEST(Race, AStoreBeginsAnew) {
  TwoThreads t;
  const auto a = t.b.global();
  t.one.write(t.x).at(1).atomic_write(a, MemoryOrder::kRelease);
  t.two.atomic_write(a, MemoryOrder::kRelease);
  t.main.atomic_read(a, MemoryOrder::kAcquire).read(t.x).at(2);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, AFailedCompareExchangeWritesNothing) {
  TwoThreads t;
  const auto a = t.b.global();
  t.one.write(t.x).at(1).atomic_update(a, MemoryOrder::kAcqRel).failed();
  t.two.atomic_read(a, MemoryOrder::kAcquire).read(t.x).at(2);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, AtomicsRaceWithPlainAccessesOnly) {
  TwoThreads t;
  t.one.atomic_write(t.x, MemoryOrder::kRelaxed).at(1);
  t.two.atomic_write(t.x, MemoryOrder::kRelaxed).at(2);
  EXPECT_EQ(t.races(), SitePairs{});
  t.main.read(t.x).at(3);
  EXPECT_EQ(t.races(), (SitePairs{{1, 3}, {2, 3}}));
}

TEST(Race, ADestroyedMutexPassesNothingOn) {
  TwoThreads t;
  const auto m = t.b.global();
  t.one.lock(m).write(t.x).at(1).unlock(m);
  t.main.event(EventKind::kSyncDestroy, m).event(EventKind::kSyncInit, m);
  t.two.lock(m).read(t.x).at(2).unlock(m);
  EXPECT_EQ(t.races(), kOneRace);
}

TEST(Race, AllReadersThatAWriteIsNotOrderedAfterAreReported) {
  TwoThreads t;
  auto three = t.main.fork();
  t.one.read(t.x).at(1);
  t.two.read(t.x).at(2);
  three.read(t.x).at(3);
  t.main.write(t.x).at(4);
  EXPECT_EQ(t.races(), (SitePairs{{1, 4}, {2, 4}, {3, 4}}));
}

TEST(Race, APairOfSitesIsListedOnceAndCounted) {
  TwoThreads t;
  const auto y = t.b.global();
  t.one.write(t.x).at(1).write(y).at(1);
  t.two.write(t.x).at(2).write(y).at(2);
  const Trace trace = t.b.build();
  const Detections found = detect_all(trace);
  ASSERT_EQ(found.races.size(), 1u);
  const PairFinding& race = found.races[0];
  EXPECT_EQ(race.count, 2u);
  EXPECT_EQ(race.first.thread, t.one.index());
  EXPECT_EQ(race.second.thread, t.two.index());
  EXPECT_EQ(race.object, t.x.object);
  EXPECT_EQ(race.first.offset, t.x.offset);
  EXPECT_EQ(race.first.size, 8u);
  EXPECT_EQ(trace.events()[race.first.event].site, race.first.site);
  EXPECT_EQ(trace.events()[race.second.event].site, race.second.site);
}

// The second race disappears if the first goes the other way: then two reads nothing from one.
TEST(Race, RacesBehindAReadFromAnEarlierRaceAreMarked) {
  TwoThreads t;
  const auto flag = t.b.global();
  t.one.write(t.x).at(1).write(flag).at(2);
  t.two.read(flag).at(3).write(t.x).at(4);
  const Trace trace = t.b.build();
  const Detections found = detect_all(trace);
  ASSERT_EQ(found.races.size(), 2u);
  for (const PairFinding& race : found.races) {
    const bool is_flag = trace.sites()[race.first.site].offset == 2;
    EXPECT_EQ(race.certain, is_flag);
  }
}

TEST(Race, SlotsOfJoinedThreadsAreReusedWithoutConfusion) {
  TraceBuilder b;
  const auto x = b.global(), y = b.global();
  auto main = b.main_thread();
  auto other = main.fork();
  for (int i = 0; i < 100; ++i) {
    auto child = main.fork();
    child.write(x).at(1);
    main.join(child);
  }
  other.read(x).at(2);
  EXPECT_EQ(races_of(b), kOneRace);
  main.join(other).write(x).at(3).write(y).at(4);
  EXPECT_EQ(races_of(b), kOneRace);
}

}  // namespace
}  // namespace heddle::detect
