// Which events are impacted, on small traces of two versions.
#include "impact/impact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::MemoryOrder;
using trace::Trace;
using trace::TraceBuilder;
using Thread = TraceBuilder::Thread;
using Location = TraceBuilder::Location;

// One of the two versions. Statements are numbers, the same in both.
class Version {
 public:
  TraceBuilder builder;
  Thread main = builder.main_thread();
  Thread other = main.fork();  // does nothing; but nobody is alone

  VersionNames names(const std::set<uint64_t>& changed = {}) {
    VersionNames names;
    for (uint64_t statement = 1; statement < 100; ++statement) {
      const uint32_t site = builder.site(statement);
      if (names.statements.size() <= site) names.statements.resize(site + 1);
      names.statements[site] = statement;
      if (names.is_changed.size() <= site) names.is_changed.resize(site + 1);
      names.is_changed[site] = changed.contains(statement);
    }
    return names;
  }
};

using Reasons = std::map<uint64_t, std::string>;  // of accesses and acquisitions, by statement

Reasons impact_of(Version& base, Version& head, const std::set<uint64_t>& changed = {},
                  Impact* whole = nullptr, bool has_other_fields = false) {
  const VersionNames base_names = base.names();
  VersionNames head_names = head.names(changed);
  head_names.has_other_fields = has_other_fields;
  const Trace base_trace = base.builder.build();
  const Trace head_trace = head.builder.build();
  const Impact impact = find_impact(base_trace, base_names, head_trace, head_names);
  if (whole != nullptr) *whole = impact;
  Reasons reasons;
  for (const ImpactedEvent& event : impact.events) {
    const uint64_t statement = head_names.statements[head_trace.events()[event.event].site];
    std::string& text = reasons[statement];
    if (!text.empty()) text += " ";
    text += to_text(event.reason);
  }
  return reasons;
}

TEST(Impact, OfTheSameExecutionIsEmpty) {
  const auto fill = [](Version& version) {
    const Location x = version.builder.global();
    const Location m = version.builder.global();
    Thread child = version.main.fork();
    version.main.at(1);
    child.lock(m).at(2).write(x).at(3).unlock(m).at(4);
    version.main.lock(m).at(5).write(x).at(6).unlock(m).at(7).join(child).at(8).read(x).at(9);
  };
  Version base;
  Version head;
  fill(base);
  fill(head);
  Impact impact;
  EXPECT_EQ(impact_of(base, head, {}, &impact), Reasons());
  EXPECT_EQ(impact.accesses, 3u);
  EXPECT_EQ(impact.impacted_accesses, 0u);
}

// Figure 1 of the paper: class A with m0 to m4, two threads.
//
//   m0: y = a (10); x = b (11); [+ z = a + b (12)]
//   m1: [- synchronized] x = get() (20); synchronized (this) (21) { m0() (22) }
//   m2: synchronized (30); if ([false → true]) o.notify() (31); x++ (32, 33)
//   m3: [+ this.lock = new Object() (40)]; synchronized (this.lock) (41) { if (x > 0) (42) return x (43) }
//   m4: [- synchronized] synchronized (this) (50) { x = 1 (51) } [+ synchronized (this)] (52) { y = 1 (53) }
void run_example(Version& version, bool is_head) {
  TraceBuilder& b = version.builder;
  const Location x = b.global();
  const Location y = b.global();
  const Location z = b.global();
  const Location self = b.global(40);
  const Location condition = b.global(48);
  Location lock = version.main.allocate(40);
  version.main.at(60);
  Thread one = version.main.fork();
  version.main.at(61);
  Thread two = version.main.fork();
  version.main.at(62);

  one.call(70);  // m1
  if (!is_head) one.lock(self).at(19);
  one.write(x).at(20);
  // Java's monitors are recursive: inside of the other one it is no acquisition.
  if (is_head) one.lock(self).at(21);
  one.call(22).write(y).at(10).write(x).at(11);
  if (is_head) one.write(z).at(12);
  one.leave();
  one.unlock(self).at(23);
  one.leave();
  one.call(71).lock(self).at(30);  // m2
  if (is_head) one.notify_one(condition, 0).at(31);
  one.read(x).at(32).write(x).at(33).unlock(self).at(34).leave();

  two.call(72);  // m3
  if (is_head) {
    lock = two.allocate(40);
    two.at(40);
  }
  two.lock(lock).at(41).read(x).at(42);
  if (is_head) two.read(x).at(43);
  two.unlock(lock).at(44).leave();
  two.call(73).lock(self).at(50).write(x).at(51);  // m4
  if (is_head) two.unlock(self).at(54).lock(self).at(52);
  two.write(y).at(53).unlock(self).at(55).leave();
  version.main.join(one).at(63).join(two).at(64);
}

TEST(Impact, OfThePapersExampleIsThePapers) {
  Version base;
  Version head;
  run_example(base, false);
  run_example(head, true);
  Impact impact;
  const Reasons reasons = impact_of(base, head, {12, 21, 31, 40, 50, 52}, &impact);
  Reasons accesses;
  for (const uint64_t statement : {10, 11, 12, 20, 32, 33, 42, 43, 51, 53})
    if (reasons.contains(statement)) accesses[statement] = reasons.at(statement);
  EXPECT_EQ(accesses, (Reasons{
                          {12, "new-code"},
                          {20, "lockset"},
                          {32, "ordering"},
                          {33, "ordering"},
                          {42, "lockset"},
                          {43, "newly-reached"},
                          {53, "lock-released"},
                      }));
  EXPECT_EQ(impact.impacted_accesses, 7u);
  EXPECT_EQ(impact.accesses, 10u);
}

// What the paper says of static analyses (section III-A, after the example): each of their three mistakes.

// "First, they consider only explicit changes of synchronization blocks": m3 alone, of which the change has
// no `synchronized` in it. Both versions execute the statement that locks, and what is under it.
TEST(ImpactUnlikeStaticAnalysis, SeesALockObjectThatWasReplacedWhereNoSynchronizationWasChanged) {
  const auto fill = [](Version& version, bool is_replaced) {
    const Location x = version.builder.global();
    const Location lock = version.main.allocate(40);
    version.main.at(1);
    Thread other = version.main.fork();
    version.main.at(2);
    Location own = lock;
    if (is_replaced) {
      own = other.allocate(40);
      other.at(40);
    }
    other.lock(own).at(41).read(x).at(42).unlock(own).at(44);
    version.main.lock(lock).at(3).write(x).at(4).unlock(lock).at(5).join(other).at(6);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  EXPECT_EQ(impact_of(base, head, {40}), (Reasons{{42, "lockset"}}));
}

// "Second, they miss e5 and e6 due to ignoring changes that affect wait/notify": a condition that has another
// value now reaches a notify that was there before. The statement itself is in neither change set.
TEST(ImpactUnlikeStaticAnalysis, SeesWhatComesAfterANotifyThatIsReachedNow) {
  const auto fill = [](Version& version, bool notifies) {
    const Location x = version.builder.global();
    const Location self = version.builder.global(40);
    const Location condition = version.builder.global(48);
    Thread other = version.main.fork();
    version.main.at(1);
    other.lock(self).at(30).read(x).at(29);
    if (notifies) other.notify_one(condition, 0).at(31);
    other.read(x).at(32).write(x).at(33).unlock(self).at(34);
    version.main.lock(self).at(2).write(x).at(3).unlock(self).at(4).join(other).at(5);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  EXPECT_EQ(impact_of(base, head), (Reasons{{31, "newly-reached"}, {32, "ordering"}, {33, "ordering"}}));
  // Nor is the loss of one overlooked.
  Version before;
  Version after;
  fill(before, true);
  fill(after, false);
  EXPECT_EQ(impact_of(before, after), (Reasons{{32, "ordering"}, {33, "ordering"}}));
}

// "Third, they incorrectly include e2, e3 and e9, as they consider that all statements inside a modified
// synchronized block are impacted": the block of m1 begins later than it did and has a new statement in it,
// that of m4 is a block instead of a method. What was under the lock is under the lock.
TEST(ImpactUnlikeStaticAnalysis, LeavesOutWhatIsInAChangedSynchronizedBlockUnderTheSameLock) {
  const auto fill = [](Version& version, bool is_narrow) {
    const Location x = version.builder.global();
    const Location y = version.builder.global();
    const Location self = version.builder.global(40);
    Thread other = version.main.fork();
    version.main.at(1);
    version.main.call(70);
    if (!is_narrow) version.main.lock(self).at(19);
    version.main.write(x).at(20);
    if (is_narrow) version.main.lock(self).at(21);
    version.main.call(22).write(y).at(10).write(x).at(11).leave().unlock(self).at(23).leave();
    other.lock(self).at(is_narrow ? 50 : 49).write(x).at(51).unlock(self).at(is_narrow ? 52 : 53);
    version.main.join(other).at(2);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  Impact whole;
  const Reasons reasons = impact_of(base, head, {21, 50, 52}, &whole);
  EXPECT_EQ(whole.accesses, 4u);
  EXPECT_EQ(whole.impacted_accesses, 1u);
  EXPECT_EQ(reasons.at(20), "lockset");
  for (const uint64_t statement : {10, 11, 51})
    EXPECT_FALSE(reasons.contains(statement)) << "statement " << statement;
}

// A thread's accesses to a and b in one critical section, then in two: whatever comes after the gap is
// impacted, and what comes in the next critical sections is not.
TEST(Impact, WhatComesAfterANewGapIsImpactedUpToTheEndOfTheSection) {
  const auto fill = [](Version& version, bool has_gap) {
    const Location a = version.builder.global();
    const Location b = version.builder.global();
    const Location m = version.builder.global();
    version.main.lock(m).at(1).read(a).at(2);
    if (has_gap) version.main.unlock(m).at(10).lock(m).at(11);
    version.main.write(b).at(3).write(a).at(4).unlock(m).at(5);
    version.main.lock(m).at(6).write(a).at(7).unlock(m).at(8);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  Impact whole;
  EXPECT_EQ(impact_of(base, head, {10, 11}, &whole),
            (Reasons{{3, "lock-released"}, {4, "lock-released"}, {11, "new-code"}}));
  // What comes before the gap is as it was, but others can now see what it leaves.
  EXPECT_EQ(whole.separated, (std::vector<uint64_t>{3}));
  Version wide;
  Version narrow;
  fill(narrow, true);
  fill(wide, false);
  EXPECT_EQ(impact_of(narrow, wide), Reasons()) << "fewer gaps let nobody else in";
}

TEST(Impact, OfASwappedLockOrderAreTheAcquisitions) {
  const auto fill = [](Version& version, bool is_swapped) {
    const Location x = version.builder.global();
    const Location m = version.builder.global();
    const Location n = version.builder.global();
    version.main.lock(is_swapped ? n : m).at(is_swapped ? 2 : 1);
    version.main.lock(is_swapped ? m : n).at(is_swapped ? 1 : 2);
    version.main.write(x).at(3).unlock(n).at(4).unlock(m).at(5);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  EXPECT_EQ(impact_of(base, head), (Reasons{{1, "lock-order"}, {2, "lock-order"}}));
}

TEST(Impact, OfAnAtomicMadePlainOrWeaker) {
  const auto fill = [](Version& version, int what) {
    const Location data = version.builder.global();
    const Location ready = version.builder.global();
    Thread child = version.main.fork();
    version.main.at(1);
    version.main.write(data).at(2);
    if (what == 0) version.main.atomic_write(ready, MemoryOrder::kRelease).at(3);
    if (what == 1) version.main.atomic_write(ready, MemoryOrder::kRelaxed).at(3);
    if (what == 2) version.main.write(ready).at(3);
    if (what == 2) child.read(ready).at(4);
    if (what != 2) child.atomic_read(ready, MemoryOrder::kAcquire).at(4);
    child.read(data).at(5);
    version.main.join(child).at(6);
  };
  Version base;
  fill(base, 0);
  Version relaxed;
  fill(relaxed, 1);
  // The reader sees the same message; that it is not one any more, its sender says.
  EXPECT_EQ(impact_of(base, relaxed, {3}).at(3), "access-kind");
  Version plain;
  fill(plain, 2);
  Version again;
  fill(again, 0);
  const Reasons reasons = impact_of(again, plain, {3, 4});
  EXPECT_EQ(reasons.at(3), "access-kind");
  EXPECT_EQ(reasons.at(4), "access-kind");
  EXPECT_EQ(reasons.at(5), "ordering");
}

TEST(Impact, OfAJoinThatComesLater) {
  const auto fill = [](Version& version, bool is_late) {
    const Location x = version.builder.global();
    Thread child = version.main.fork();
    version.main.at(1);
    child.write(x).at(2).end();
    if (!is_late) version.main.join(child).at(3);
    version.main.read(x).at(4);
    if (is_late) version.main.join(child).at(3);
    version.main.read(x).at(5);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  EXPECT_EQ(impact_of(base, head), (Reasons{{4, "ordering"}}));
}

// Another round of a loop, another thread of the same kind before, another object of the same kind before:
// only what is new is new.
TEST(Impact, WhatIsMoreOfTheSameLeavesTheRestAsItWas) {
  const auto fill = [](Version& version, int rounds, int threads) {
    const Location x = version.builder.global();
    const Location m = version.builder.global();
    for (int i = 0; i < rounds; ++i) version.main.lock(m).at(1).write(x).at(2).unlock(m).at(3);
    std::vector<Thread> children;
    for (int i = 0; i < threads; ++i) {
      children.push_back(version.main.fork());
      version.main.at(4);
    }
    for (Thread& child : children) child.lock(m).at(5).write(x).at(6).unlock(m).at(7);
    for (Thread& child : children) version.main.join(child).at(8);
  };
  Version base;
  Version head;
  fill(base, 2, 1);
  fill(head, 3, 2);
  const Reasons reasons = impact_of(base, head);
  EXPECT_EQ(reasons.at(2), "newly-reached") << "once, not three times";
  EXPECT_EQ(reasons.at(6), "newly-reached") << "in one thread, not in both";
}

TEST(Impact, AnotherAllocationElsewhereChangesNothing) {
  const auto fill = [](Version& version, bool has_more) {
    const auto make = [&](uint64_t statement) {
      const Location made = version.main.allocate(64);
      version.main.at(statement);
      return made;
    };
    if (has_more) make(90);
    const Location first = make(1);
    if (has_more) make(90);
    const Location second = make(1);
    version.main.lock(first.part(0, 40)).at(2).write(first.part(48, 8)).at(3).unlock(first.part(0, 40)).at(4);
    version.main.lock(second.part(0, 40)).at(5).write(second.part(48, 8)).at(6);
    version.main.unlock(second.part(0, 40)).at(7);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  EXPECT_EQ(impact_of(base, head, {90}), Reasons());
}

// An object with two locks, before which a field was added. That one function takes the other lock now does
// not pass for the new layout.
TEST(Impact, LocksKeepTheirNamesIfFieldsAreAdded) {
  const auto fill = [](Version& version, uint64_t added, bool takes_other) {
    const Location object = version.main.allocate(200);
    version.main.at(1);
    const Location first = object.part(added, 40);
    const Location second = object.part(added + 40, 40);
    const Location x = object.part(added + 80, 8);
    Thread child = version.main.fork();
    version.main.at(2);
    for (int round = 0; round < 2; ++round) {
      version.main.lock(first).at(3).write(x).at(4).unlock(first).at(5);
      child.lock(second).at(6).read(x).at(7).unlock(second).at(8);
    }
    const Location third = takes_other ? second : first;
    version.main.lock(third).at(9).write(x).at(10).unlock(third).at(11);
  };
  Version base;
  Version head;
  Version other;
  fill(base, 0, false);
  fill(head, 8, false);
  fill(other, 8, true);
  EXPECT_EQ(impact_of(base, head, {}, nullptr, /*has_other_fields=*/true), Reasons());
  Version again;
  fill(again, 0, false);
  EXPECT_EQ(impact_of(again, other, {}, nullptr, /*has_other_fields=*/true), (Reasons{{10, "lockset"}}));
}

// Fields were added elsewhere. The statement that takes this lock has changed, so nobody says where it lies.
TEST(Impact, LocksKeepTheirNamesIfFieldsAreAddedToAnotherClass) {
  const auto fill = [](Version& version) {
    const Location object = version.main.allocate(200);
    const Location lock = object.part(40, 40);
    const Location x = object.part(80, 8);
    version.main.at(1);
    Thread child = version.main.fork();
    version.main.at(2).lock(lock).at(3).write(x).at(4).unlock(lock).at(5);
    child.read(x).at(6);
  };
  Version base;
  Version head;
  fill(base);
  fill(head);
  EXPECT_EQ(impact_of(base, head, {3}, nullptr, /*has_other_fields=*/true), (Reasons{{3, "new-code"}}));
}

// Of two alike, the lock of the other one: the text of the statement is the same.
TEST(Impact, TheSameStatementMayLockAnotherObject) {
  const auto fill = [](Version& version, bool is_other) {
    const Location x = version.builder.global();
    std::vector<Location> locks;
    for (int i = 0; i < 2; ++i) {
      locks.push_back(version.main.allocate(40));
      version.main.at(1);
    }
    version.main.lock(locks[is_other ? 1 : 0]).at(2).write(x).at(3).unlock(locks[is_other ? 1 : 0]).at(4);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  EXPECT_EQ(impact_of(base, head), (Reasons{{3, "lockset"}}));
}

// The pointer was changed, not the statement that uses it.
TEST(Impact, AnAccessToAnotherObjectIsNew) {
  const auto fill = [](Version& version, bool is_other) {
    std::vector<Location> objects;
    for (int i = 0; i < 2; ++i) {
      objects.push_back(version.main.allocate(8));
      version.main.at(1);
    }
    version.main.write(objects[is_other ? 1 : 0]).at(2);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  EXPECT_EQ(impact_of(base, head), (Reasons{{2, "newly-reached"}}));
}

// How often somebody looks until it is there depends on the schedule alone.
TEST(Impact, LookingMoreOftenIsNoOtherOrder) {
  const auto fill = [](Version& version, int looks) {
    const Location ready = version.builder.global();
    const Location data = version.builder.global();
    Thread child = version.main.fork();
    version.main.at(1);
    for (int i = 0; i < looks; ++i) child.atomic_read(ready, MemoryOrder::kAcquire).at(2);
    version.main.write(data).at(3).atomic_write(ready, MemoryOrder::kRelease).at(4);
    child.atomic_read(ready, MemoryOrder::kAcquire).at(2).read(data).at(5);
    version.main.join(child).at(6);
  };
  Version base;
  Version head;
  fill(base, 3);
  fill(head, 1);
  EXPECT_EQ(impact_of(base, head), Reasons());
}

// A compiler has inlined what another one calls.
TEST(Impact, InlinedCallsAreCalls) {
  const auto fill = [](Version& version, bool is_inlined) {
    const Location x = version.builder.global();
    if (!is_inlined) version.main.call(20).call(21);
    version.main.write(x).at(22);
  };
  Version base;
  Version head;
  fill(base, false);
  fill(head, true);
  const VersionNames base_names = base.names();
  VersionNames head_names = head.names();
  head_names.calls.resize(head_names.statements.size());
  head_names.calls[head.builder.site(22)] = {20, 21, 22};
  const Trace base_trace = base.builder.build();
  const Trace head_trace = head.builder.build();
  EXPECT_TRUE(find_impact(base_trace, base_names, head_trace, head_names).events.empty());
}

// What a thread does while it is the only one cannot interleave with anything.
TEST(Impact, NothingIsImpactedBeforeTheFirstThreadAndAfterTheLast) {
  const auto fill = [](TraceBuilder& builder, bool has_more) {
    for (uint64_t statement = 1; statement <= 5; ++statement) builder.site(statement);
    Thread main = builder.main_thread();
    const Location x = builder.global();
    if (has_more) main.write(x).at(1);
    Thread child = main.fork();
    main.at(2);
    if (has_more) main.write(x).at(3);
    main.join(child).at(4);
    if (has_more) main.write(x).at(5);
  };
  TraceBuilder base;
  TraceBuilder head;
  fill(base, false);
  fill(head, true);
  const Trace base_trace = base.build();
  const Trace head_trace = head.build();
  const Impact impact = find_impact(base_trace, {}, head_trace, {});
  EXPECT_EQ(impact.impacted_accesses, 1u);
  EXPECT_EQ(impact.accesses, 3u);
}

}  // namespace
}  // namespace heddle
