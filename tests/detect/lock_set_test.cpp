#include "detecting.h"

namespace heddle::detect {
namespace {

using trace::MemoryOrder;
using trace::Trace;
using trace::TraceBuilder;

struct LockSetThreads {
  TraceBuilder b;
  TraceBuilder::Location x = b.global(), m = b.global(), n = b.global();
  TraceBuilder::Thread main = b.main_thread();
  TraceBuilder::Thread one = main.fork();
  TraceBuilder::Thread two = main.fork();

  SitePairs warnings() const {
    const Trace trace = b.build();
    return sites_of(trace, detect_all(trace).lock_set);
  }
};

TEST(LockSet, ALockHeldThroughoutProtects) {
  LockSetThreads t;
  t.one.lock(t.m).write(t.x).unlock(t.m);
  t.two.lock(t.n).lock(t.m).write(t.x).unlock(t.m).unlock(t.n);
  t.one.lock(t.m).write(t.x).unlock(t.m);
  EXPECT_EQ(t.warnings(), SitePairs{});
}

// Eraser section 2.1: the candidates are what all accesses have in common.
TEST(LockSet, ChangingLocksDoNotProtect) {
  LockSetThreads t;
  t.one.lock(t.m).write(t.x).at(1).unlock(t.m);
  t.two.lock(t.n).write(t.x).at(2).unlock(t.n);
  t.one.lock(t.m).write(t.x).at(3).unlock(t.m);
  EXPECT_EQ(t.warnings(), (SitePairs{{2, 3}}));
}

TEST(LockSet, BothSidesHaveTheirOwnExtent) {
  LockSetThreads t;
  const auto block = t.b.global(32);
  t.one.lock(t.m).write(block).unlock(t.m);
  t.two.write(block.part(20, 4));
  const Detections found = detect_all(t.b.build());
  ASSERT_EQ(found.lock_set.size(), 1u);
  EXPECT_EQ(found.lock_set[0].first.offset, block.offset);
  EXPECT_EQ(found.lock_set[0].first.size, 32u);
  EXPECT_EQ(found.lock_set[0].second.offset, block.offset + 20);
  EXPECT_EQ(found.lock_set[0].second.size, 4u);
}

TEST(LockSet, InitialisationByOneThreadNeedsNoLock) {
  LockSetThreads t;
  t.one.write(t.x).read(t.x).write(t.x);
  t.two.lock(t.m).write(t.x).unlock(t.m);
  EXPECT_EQ(t.warnings(), SitePairs{});
}

TEST(LockSet, ReadingWhatIsNotWrittenAnyMoreNeedsNoLock) {
  LockSetThreads t;
  t.main.write(t.x);
  t.one.read(t.x);
  t.two.read(t.x);
  EXPECT_EQ(t.warnings(), SitePairs{});
}

TEST(LockSet, AWriteUnderAReadLockIsNotProtected) {
  LockSetThreads t;
  t.one.lock(t.m).write(t.x).unlock(t.m);
  t.two.read_lock(t.m).read(t.x).read_unlock(t.m);
  t.one.lock(t.m).write(t.x).at(1).unlock(t.m);
  EXPECT_EQ(t.warnings(), SitePairs{});
  t.two.read_lock(t.m).write(t.x).at(2).read_unlock(t.m);
  EXPECT_EQ(t.warnings(), (SitePairs{{1, 2}}));
}

TEST(LockSet, AtomicsProtectEachOther) {
  LockSetThreads t;
  t.one.atomic_write(t.x, MemoryOrder::kRelaxed).at(1);
  t.two.atomic_update(t.x, MemoryOrder::kRelaxed).at(2);
  EXPECT_EQ(t.warnings(), SitePairs{});
  t.main.write(t.x).at(3);
  EXPECT_EQ(t.warnings(), (SitePairs{{2, 3}}));
}

TEST(LockSet, NeighboursInOneWordAreLocationsOfTheirOwn) {
  LockSetThreads t;
  t.one.write(t.x.part(0, 2)).write(t.x.part(4, 1));
  t.two.write(t.x.part(2, 2)).write(t.x.part(5, 3));
  EXPECT_EQ(t.warnings(), SitePairs{});
  t.two.write(t.x.part(4, 1));
  EXPECT_EQ(t.warnings().size(), 1u);
}

TEST(LockSet, TheLuckyOrderOfCriticalSectionsDoesNotHideIt) {
  LockSetThreads t;
  t.one.write(t.x).at(1).lock(t.m).unlock(t.m);
  t.two.lock(t.m).unlock(t.m).write(t.x).at(2);
  const Trace trace = t.b.build();
  EXPECT_EQ(sites_of(trace, detect_all(trace).lock_set), (SitePairs{{1, 2}}));
  EXPECT_TRUE(detect_all(trace).races.empty());
}

}  // namespace
}  // namespace heddle::detect
