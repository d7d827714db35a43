#include "detecting.h"

namespace heddle::detect {
namespace {

using trace::MemoryOrder;
using trace::Trace;
using trace::TraceBuilder;

struct HybridThreads {
  TraceBuilder b;
  TraceBuilder::Location x = b.global(), m = b.global(), n = b.global();
  TraceBuilder::Thread main = b.main_thread();
  TraceBuilder::Thread one = main.fork();
  TraceBuilder::Thread two = main.fork();

  SitePairs pairs() const {
    const Trace trace = b.build();
    return sites_of(trace, detect_all(trace).potential_races);
  }
};

TEST(Hybrid, FindsARaceThatTheObservedOrderMasks) {
  HybridThreads t;
  t.one.write(t.x).at(1).lock(t.m).unlock(t.m);
  t.two.lock(t.m).unlock(t.m).write(t.x).at(2);
  EXPECT_EQ(t.pairs(), (SitePairs{{1, 2}}));
}

TEST(Hybrid, ACommonLockKeepsApart) {
  HybridThreads t;
  t.one.lock(t.m).write(t.x).at(1).unlock(t.m);
  t.two.lock(t.n).lock(t.m).write(t.x).at(2).unlock(t.m).unlock(t.n);
  EXPECT_EQ(t.pairs(), SitePairs{});
}

TEST(Hybrid, DifferentLocksDoNot) {
  HybridThreads t;
  t.one.lock(t.m).write(t.x).at(1).unlock(t.m);
  t.two.lock(t.n).write(t.x).at(2).unlock(t.n);
  EXPECT_EQ(t.pairs(), (SitePairs{{1, 2}}));
}

TEST(Hybrid, TwoReadersOfARwlockAreNotKeptApart) {
  HybridThreads t;
  t.one.read_lock(t.m).write(t.x).at(1).read_unlock(t.m);
  t.two.read_lock(t.m).read(t.x).at(2).read_unlock(t.m);
  t.main.lock(t.m).write(t.x).at(3).unlock(t.m);
  EXPECT_EQ(t.pairs(), (SitePairs{{1, 2}}));
}

TEST(Hybrid, MustOrderIsRespected) {
  HybridThreads t;
  const auto s = t.b.global(), a = t.b.global(), y = t.b.global(), z = t.b.global();
  t.one.write(t.x).at(1).sem_post(s);
  t.two.sem_wait(s).write(t.x).at(2);
  t.one.write(y).at(3).atomic_write(a, MemoryOrder::kRelease);
  t.two.atomic_read(a, MemoryOrder::kAcquire).write(y).at(4);
  t.one.write(z).at(5);
  t.main.join(t.one).write(z).at(6);
  EXPECT_EQ(t.pairs(), SitePairs{});
}

TEST(Hybrid, AllPlacesOfALocationArePaired) {
  HybridThreads t;
  t.one.write(t.x).at(1).write(t.x).at(2).write(t.x).at(3);
  t.two.read(t.x).at(4).read(t.x).at(5);
  EXPECT_EQ(t.pairs(), (SitePairs{{1, 4}, {1, 5}, {2, 4}, {2, 5}, {3, 4}, {3, 5}}));
}

TEST(Hybrid, TheSamePlaceUnderOtherLocksIsRemembered) {
  HybridThreads t;
  t.one.write(t.x).at(1).lock(t.m).write(t.x).at(1).unlock(t.m);
  t.two.lock(t.m).write(t.x).at(2).unlock(t.m);
  EXPECT_EQ(t.pairs(), (SitePairs{{1, 2}}));
}

// The examples are events that are a pair themselves, not just of these places.
TEST(Hybrid, ExamplesAreEventsOfTheirSites) {
  HybridThreads t;
  for (int i = 0; i < 5; ++i) {
    t.one.lock(t.m).read(t.x).at(1).unlock(t.m);
    t.two.lock(t.n).write(t.x).at(2).unlock(t.n);
  }
  const Trace trace = t.b.build();
  const Detections found = detect_all(trace);
  ASSERT_EQ(found.potential_races.size(), 1u);
  const PairFinding& pair = found.potential_races[0];
  EXPECT_EQ(trace.events()[pair.first.event].site, pair.first.site);
  EXPECT_EQ(trace.events()[pair.second.event].site, pair.second.site);
  EXPECT_LT(pair.first.event, pair.second.event);
}

}  // namespace
}  // namespace heddle::detect
