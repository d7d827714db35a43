#include "predict/trace_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "predict/deadlock_prediction.h"
#include "predict/ideal.h"
#include "predict/race_prediction.h"
#include "random_trace.h"
#include "trace/trace_builder.h"
#include "trace_text.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::Trace;
using trace::TraceBuilder;
using Events = std::vector<EventIndex>;

TEST(TraceModel, AReadNeedsTheLastWriteToEachByte) {
  TraceBuilder b;
  const auto x = b.global(16);
  auto main = b.main_thread();
  auto one = main.fork();    // 0, 1
  auto two = main.fork();    // 2, 3
  one.write(x.part(0, 4));   // 4
  two.write(x.part(2, 8));   // 5
  one.write(x.part(10, 6));  // 6
  main.read(x.part(0, 2));   // 7
  main.read(x.part(1, 3));   // 8
  main.read(x);              // 9
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(7), (Events{4}));
  EXPECT_EQ(model.needs_of(8), (Events{5}));  // 4 has been needed before
  EXPECT_EQ(model.needs_of(9), (Events{6}));
  EXPECT_TRUE(model.is_needed(4));
  EXPECT_TRUE(model.conflict(4, 5));
  EXPECT_FALSE(model.conflict(4, 6));
}

TEST(TraceModel, ACompareExchangeThatFailsOnlyReads) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.atomic_update(x);            // 2
  child.atomic_update(x).failed();  // 3
  main.atomic_read(x);              // 4
  child.atomic_update(x);           // 5
  main.atomic_read(x);              // 6
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(3), (Events{2}));
  EXPECT_EQ(model.needs_of(4), (Events{}));
  EXPECT_EQ(model.needs_of(6), (Events{5}));
}

TEST(TraceModel, ThreadsNeedTheirForkAndAJoinTheirEnd) {
  TraceBuilder b;
  auto main = b.main_thread();
  auto child = main.fork();  // 0, 1
  child.end();               // 2
  main.join(child);          // 3
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(1), (Events{0}));
  EXPECT_EQ(model.needs_of(3), (Events{2}));
}

TEST(TraceModel, AWakeUpNeedsItsNotifyAndANotifyThoseWhoWait) {
  TraceBuilder b;
  const auto m = b.global(), cv = b.global();
  auto main = b.main_thread();
  auto child = main.fork();        // 0, 1
  child.lock(m).cond_wait(cv, m);  // 2, 3, 4
  main.notify_one(cv);             // 5
  child.cond_wake(cv, m, main);    // 6, 7
  main.notify_all(cv, 0);          // 8
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(5), (Events{3}));
  EXPECT_EQ(model.needs_of(6), (Events{5}));
  EXPECT_EQ(model.needs_of(8), (Events{6}));
}

TEST(TraceModel, TakingFromASemaphoreNeedsAllPosts) {
  TraceBuilder b;
  const auto s = b.global();
  auto main = b.main_thread();
  auto one = main.fork();                         // 0, 1
  auto two = main.fork();                         // 2, 3
  one.sem_post(s);                                // 4
  two.sem_post(s);                                // 5
  main.sem_wait(s);                               // 6
  one.sem_wait(s);                                // 7
  two.event(EventKind::kSemTryWait, s).failed();  // 8
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(6), (Events{4, 5}));
  EXPECT_EQ(model.needs_of(7), (Events{5}));
  EXPECT_EQ(model.needs_of(8), (Events{6, 7}));
}

TEST(TraceModel, BarriersOncesAndDescriptorsKeepTheirOrder) {
  TraceBuilder b;
  const auto barrier = b.global(), once = b.global(), file = b.global();
  auto main = b.main_thread();
  auto child = main.fork();                  // 0, 1
  child.barrier_arrive(barrier);             // 2
  main.barrier_arrive(barrier);              // 3
  main.barrier_leave(barrier);               // 4
  child.event(EventKind::kOnceBegin, once);  // 5
  child.event(EventKind::kOnceEnd, once);    // 6
  main.event(EventKind::kOncePassed, once);  // 7
  child.event(EventKind::kAccess, file);     // 8
  main.event(EventKind::kAccess, file);      // 9
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(3), (Events{}));
  EXPECT_EQ(model.needs_of(4), (Events{2}));
  EXPECT_EQ(model.needs_of(7), (Events{6}));
  EXPECT_EQ(model.needs_of(9), (Events{8}));
}

TEST(TraceModel, LeavingABarrierNeedsTheArrivalsAtItsPhase) {
  TraceBuilder b;
  const auto barrier = b.global();
  auto main = b.main_thread();
  auto child = main.fork();       // 0, 1
  child.barrier_arrive(barrier);  // 2
  main.barrier_arrive(barrier);   // 3
  main.barrier_leave(barrier);    // 4
  main.barrier_arrive(barrier);   // 5, at the next phase
  child.barrier_leave(barrier);   // 6
  child.barrier_arrive(barrier);  // 7
  child.barrier_leave(barrier);   // 8
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(4), (Events{2}));
  EXPECT_EQ(model.needs_of(6), (Events{3}));
  EXPECT_EQ(model.needs_of(8), (Events{5}));
}

TEST(TraceModel, KnowsSectionsAndLocksHeld) {
  TraceBuilder b;
  const auto a = b.global(), c = b.global(), x = b.global();
  auto main = b.main_thread();
  main.lock(a);                                        // 0
  main.lock(a).flag(trace::event_flag::kRecursive);    // 1
  main.read_lock(c).read_lock(c);                      // 2, 3: the inner one is nothing
  main.write(x);                                       // 4
  main.unlock(a).flag(trace::event_flag::kRecursive);  // 5
  main.read_unlock(c).read_unlock(c);                  // 6, 7
  main.write(x);                                       // 8
  main.unlock(a);                                      // 9
  const TraceModel model(b.build());
  EXPECT_EQ(model.class_of(0), EventClass::kAcquire);
  EXPECT_EQ(model.class_of(1), EventClass::kOther);
  EXPECT_EQ(model.class_of(2), EventClass::kSharedAcquire);
  EXPECT_EQ(model.class_of(3), EventClass::kOther);
  EXPECT_EQ(model.release_of(0), 9U);
  EXPECT_EQ(model.release_of(2), 7U);
  const std::vector<HeldLock> held = model.held_at(4);
  ASSERT_EQ(held.size(), 2U);
  EXPECT_EQ(held[0].acquire, 0U);
  EXPECT_EQ(held[1].acquire, 2U);
  EXPECT_TRUE(held[1].shared);
  ASSERT_EQ(model.held_at(8).size(), 1U);
  EXPECT_TRUE(model.locksets_exclude(model.lockset_at(4), model.lockset_at(8)));
  EXPECT_TRUE(model.held_at(0).empty());
}

TEST(TraceModel, AFailedTryLockNeedsTheSectionThatWasInItsWay) {
  TraceBuilder b;
  const auto m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();    // 0, 1
  main.lock(m).unlock(m);      // 2, 3
  main.lock(m);                // 4
  child.try_lock(m).failed();  // 5
  main.unlock(m);              // 6
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(5), (Events{4}));
  EXPECT_FALSE(model.is_acquire(5));
}

// Only the last events were kept: a section began before them.
TEST(TraceModel, AnAcquisitionNeedsTheEndOfASectionFromBeforeTheTrace) {
  TraceBuilder b;
  const auto m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();  // 0, 1
  main.unlock(m);            // 2
  child.lock(m);             // 3
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(3), (Events{2}));
}

TEST(TraceModel, ALockThatIsMadeAnewIsAnotherOne) {
  TraceBuilder b;
  const auto m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();                // 0, 1
  child.lock(m).unlock(m);                 // 2, 3
  main.event(EventKind::kSyncDestroy, m);  // 4
  main.event(EventKind::kSyncInit, m);     // 5
  child.lock(m);                           // 6
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(4), (Events{3}));
  EXPECT_EQ(model.needs_of(6), (Events{5}));
  EXPECT_NE(model.lock_of(2), model.lock_of(6));
}

TEST(TraceModel, AccessesOfTheHeapNeedTheAllocationAndReadsAfterAFreeTheFree) {
  TraceBuilder b;
  auto main = b.main_thread();
  auto child = main.fork();               // 0, 1
  const auto object = main.allocate(32);  // 2
  child.write(object.part(0, 8));         // 3
  main.free(object);                      // 4
  child.read(object.part(24, 8));         // 5
  const TraceModel model(b.build());
  EXPECT_EQ(model.needs_of(3), (Events{2}));
  EXPECT_EQ(model.needs_of(5), (Events{4}));
  EXPECT_TRUE(model.conflict(3, 4));
  EXPECT_TRUE(model.conflict(4, 5));
}

// Unlocks of what nobody holds, by others, twice; joins of oneself; wake-ups by nobody: whatever a validated
// trace can contain. Predictions may be pointless then, but what they say of program order holds.
TEST(TraceModel, TakesTracesThatNoProgramMakes) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 3000; ++round) {
    TraceBuilder b;
    auto main = b.main_thread();
    std::vector<TraceBuilder::Thread> threads{main};
    for (int i = 0; i < 3; ++i) threads.push_back(main.fork());
    const auto heap = main.allocate(40);
    const std::vector<TraceBuilder::Location> places{b.global(24), b.global(), heap, heap.part(7, 30)};
    for (int i = 0; i < 60; ++i) {
      const auto kind =
          static_cast<EventKind>(1 + random() % (static_cast<uint64_t>(EventKind::kAtomicSet) - 1));
      threads[random() % threads.size()]
          .event(kind, places[random() % places.size()], static_cast<uint32_t>(random() % threads.size()))
          .flag(static_cast<uint16_t>(random() % 4 == 0 ? random() % 256 : 0));
    }
    if (random() % 2 == 0) b.tables().events.erase(b.tables().events.begin(), b.tables().events.begin() + 7);
    const Trace trace = b.build();
    const TraceModel model(trace);
    for (EventIndex event = 0; event < model.size(); ++event) {
      for (const EventIndex need : model.needs_of(event)) ASSERT_LT(need, event);
      for (const HeldLock& held : model.held_at(event)) ASSERT_LT(held.acquire, event);
    }
    for (const Predictions& all : {predict_races(model), predict_deadlocks(model)}) {
      for (const Prediction& prediction : all.found) {
        std::vector<uint32_t> done(trace.threads().size());
        for (const uint64_t event : schedule_of(trace, prediction.witness)) {
          const auto index = static_cast<EventIndex>(event);
          ASSERT_EQ(model.number_of(index), done[model.thread_of(index)]++);
        }
      }
    }
  }
}

TEST(Ideal, ContainsTheEndOfTheEarlierSection) {
  TraceBuilder b;
  const auto m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();  // 0, 1
  main.lock(m).unlock(m);    // 2, 3
  child.lock(m).unlock(m);   // 4, 5
  const TraceModel model(b.build());
  Ideal ideal(model);
  ideal.add(4);
  EXPECT_FALSE(ideal.contains(2));
  ideal.add(2);
  EXPECT_TRUE(ideal.contains(3));
  EXPECT_FALSE(ideal.contains(5));
}

TEST(Ideal, IsInfeasibleIfASectionThatIsInTheWayNeverEnds) {
  TraceBuilder b;
  const auto m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();  // 0, 1
  main.lock(m);              // 2
  child.lock(m);             // 3: whatever made that possible is not in the trace
  const TraceModel model(b.build());
  Ideal ideal(model);
  ideal.add(3);
  EXPECT_TRUE(ideal.feasible());
  ideal.try_out();
  ideal.add(2);
  EXPECT_FALSE(ideal.feasible());
  ideal.undo();
  EXPECT_TRUE(ideal.feasible());
}

TEST(Ideal, UndoAndAssignGiveWhatAddingFromScratchGives) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 3000; ++round) {
    RandomTrace wanted = RandomTrace::anything(random);
    wanted.events = 40;
    wanted.open_sections = false;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    const auto any = [&] { return static_cast<EventIndex>(random() % model.size()); };
    const EventIndex first = any(), second = any(), third = any();
    Ideal expected(model);
    expected.add(first);
    expected.add(third);

    Ideal tried(model);
    tried.add(first);
    tried.try_out();
    tried.add(second);
    tried.undo();
    tried.add(third);
    ASSERT_EQ(tried.cut(), expected.cut()) << text_of(trace);

    Ideal alone(model);
    alone.add(third);
    std::vector<uint32_t> joined = alone.cut();
    Ideal assigned(model);
    assigned.add(first);
    std::transform(joined.begin(), joined.end(), assigned.cut().begin(), joined.begin(),
                   [](uint32_t a, uint32_t c) { return std::max(a, c); });
    assigned.add(second);
    assigned.assign(joined);
    ASSERT_EQ(assigned.cut(), expected.cut()) << text_of(trace);
  }
}

}  // namespace
}  // namespace heddle
