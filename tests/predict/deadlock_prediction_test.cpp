#include "predict/deadlock_prediction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <tuple>

#include "random_trace.h"
#include "reorderings.h"
#include "trace/trace_builder.h"
#include "trace_text.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::Trace;
using trace::TraceBuilder;

std::vector<uint64_t> widened(const std::vector<EventIndex>& events) {
  return {events.begin(), events.end()};
}

std::string check_witness(const Trace& trace, const Prediction& deadlock) {
  const std::string wrong = check_schedule(trace, schedule_of(trace, deadlock.witness), {});
  if (!wrong.empty()) return wrong;
  const TraceMachine machine(trace);
  TraceMachine::State state = machine.initial();
  for (const uint64_t event : schedule_of(trace, deadlock.witness)) state = machine.execute(state, event);
  std::set<uint32_t> threads;
  for (const uint64_t event : deadlock.events) threads.insert(machine.thread_of(event));
  for (const uint64_t event : deadlock.events) {
    if (machine.next(state, machine.thread_of(event)) != static_cast<int64_t>(event) ||
        !machine.blocked_by(state, event, threads))
      return "event " + std::to_string(event) + " does not wait";
  }
  return "";
}

// All sequences of acquisitions of different threads, of this length, whose first is the earliest.
template <typename Visit>
void for_each_sequence(const TraceModel& model, size_t length, std::vector<EventIndex>* begun,
                       Visit&& visit) {
  if (begun->size() == length) return visit(*begun);
  for (EventIndex event = begun->empty() ? 0 : begun->front() + 1; event < model.size(); ++event) {
    if (!model.is_acquire(event)) continue;
    const bool other_thread = std::all_of(begun->begin(), begun->end(), [&](EventIndex known) {
      return model.thread_of(known) != model.thread_of(event);
    });
    if (!other_thread) continue;
    begun->push_back(event);
    for_each_sequence(model, length, begun, visit);
    begun->pop_back();
  }
}

// What a pattern consists of, wherever its cycle begins.
using Pattern = std::set<std::tuple<uint32_t, uint32_t, bool, uint32_t>>;
Pattern pattern_of(const TraceModel& model, const std::vector<EventIndex>& events) {
  Pattern pattern;
  for (const EventIndex event : events) {
    pattern.emplace(model.thread_of(event), model.lock_of(event),
                    model.class_of(event) == EventClass::kSharedAcquire, model.lockset_at(event));
  }
  return pattern;
}

size_t count_deadlocks(const Trace& trace) {
  return predict_deadlocks(TraceModel(trace)).found.size();
}

TEST(DeadlockPrediction, FindsLocksInOppositeOrder) {
  TraceBuilder b;
  const auto a = b.global(), c = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.lock(a).lock(c).unlock(c).unlock(a);
  child.lock(c).lock(a).unlock(a).unlock(c);
  const Trace trace = b.build();
  const Predictions deadlocks = predict_deadlocks(TraceModel(trace));
  ASSERT_EQ(deadlocks.found.size(), 1U);
  EXPECT_EQ(deadlocks.found[0].events, (std::vector<uint64_t>{3, 7}));
  EXPECT_EQ(deadlocks.found[0].witness.cut, (std::vector<uint32_t>{2, 2}));
  EXPECT_TRUE(deadlocks.found[0].witness.tail.empty());
  EXPECT_EQ(deadlocks.left_out, "");
}

TEST(DeadlockPrediction, CyclesAtTheSameSitesAreToldApartByTheirLocks) {
  TraceBuilder b;
  const auto x = b.global(), y = b.global(), z = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  for (const auto& second : {y, z}) {
    main.lock(x).at(1).lock(second).at(2).unlock(second).unlock(x);
    child.lock(second).at(3).lock(x).at(4).unlock(x).unlock(second);
  }
  EXPECT_EQ(count_deadlocks(b.build()), 2U);
}

TEST(DeadlockPrediction, NotBehindAGateLock) {
  TraceBuilder b;
  const auto gate = b.global(), a = b.global(), c = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.lock(gate).lock(a).lock(c).unlock(c).unlock(a).unlock(gate);
  child.lock(gate).lock(c).lock(a).unlock(a).unlock(c).unlock(gate);
  EXPECT_EQ(count_deadlocks(b.build()), 0U);
}

TEST(DeadlockPrediction, AGateThatOnlyReadersPassIsNone) {
  TraceBuilder b;
  const auto gate = b.global(), a = b.global(), c = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.read_lock(gate).lock(a).lock(c).unlock(c).unlock(a).read_unlock(gate);
  child.read_lock(gate).lock(c).lock(a).unlock(a).unlock(c).read_unlock(gate);
  EXPECT_EQ(count_deadlocks(b.build()), 1U);
}

TEST(DeadlockPrediction, NotWithinOneThreadNorBetweenThreadsThatAreJoined) {
  TraceBuilder b;
  const auto a = b.global(), c = b.global();
  auto main = b.main_thread();
  main.lock(a).lock(c).unlock(c).unlock(a);
  main.lock(c).lock(a).unlock(a).unlock(c);
  auto child = main.fork();
  child.lock(a).lock(c).unlock(c).unlock(a);
  main.join(child).lock(c).lock(a).unlock(a).unlock(c);
  EXPECT_EQ(count_deadlocks(b.build()), 0U);
}

TEST(DeadlockPrediction, NotIfOneNeedsWhatTheOtherWroteInItsSection) {
  TraceBuilder b;
  const auto a = b.global(), c = b.global(), x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.lock(a).lock(c).write(x).unlock(c).unlock(a);
  child.lock(c).read(x).lock(a).unlock(a).unlock(c);
  EXPECT_EQ(count_deadlocks(b.build()), 0U);
}

// A cycle of n threads, each with one lock and wanting the next.
Trace cycle_of(int threads) {
  TraceBuilder b;
  std::vector<TraceBuilder::Location> locks;
  for (int i = 0; i < threads; ++i) locks.push_back(b.global());
  auto main = b.main_thread();
  for (int i = 0; i < threads; ++i) {
    auto child = main.fork();
    const auto own = locks[i], next = locks[(i + 1) % threads];
    child.lock(own).lock(next).unlock(next).unlock(own);
  }
  return b.build();
}

TEST(DeadlockPrediction, CyclesCanBeLongUpToTheLimit) {
  for (int threads = 2; threads <= 5; ++threads) {
    const Trace trace = cycle_of(threads);
    const Predictions deadlocks = predict_deadlocks(TraceModel(trace));
    ASSERT_EQ(deadlocks.found.size(), 1U) << threads;
    EXPECT_EQ(deadlocks.found[0].events.size(), static_cast<size_t>(threads));
    EXPECT_EQ(check_witness(trace, deadlocks.found[0]), "");
  }
  EXPECT_EQ(count_deadlocks(cycle_of(6)), 0U);
}

TEST(DeadlockPrediction, ReadersWaitForWritersOnly) {
  for (const bool writes : {false, true}) {
    TraceBuilder b;
    const auto a = b.global(), c = b.global();
    auto main = b.main_thread();
    auto child = main.fork();
    if (writes)
      main.lock(a).read_lock(c).read_unlock(c).unlock(a);
    else
      main.read_lock(a).read_lock(c).read_unlock(c).read_unlock(a);
    child.lock(c).read_lock(a).read_unlock(a).unlock(c);
    EXPECT_EQ(count_deadlocks(b.build()), writes ? 1U : 0U);
  }
}

TEST(DeadlockPrediction, ATryLockAndATimedLockDoNotWaitForEver) {
  for (const uint16_t flags : {uint16_t{0}, trace::event_flag::kTimed}) {
    TraceBuilder b;
    const auto a = b.global(), c = b.global();
    auto main = b.main_thread();
    auto child = main.fork();
    main.lock(a).lock(c).unlock(c).unlock(a);
    child.lock(c);
    if (flags == 0)
      child.try_lock(a);
    else
      child.lock(a).flag(flags);
    child.unlock(a).unlock(c);
    EXPECT_EQ(count_deadlocks(b.build()), 0U);
  }
  TraceBuilder b;
  const auto a = b.global(), c = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.try_lock(a).lock(c).unlock(c).unlock(a);  // what it holds it holds
  child.lock(c).lock(a).unlock(a).unlock(c);
  EXPECT_EQ(count_deadlocks(b.build()), 1U);
}

// The mutex of a wait is taken again while another lock is held. Under the runtime the two are one step.
TEST(DeadlockPrediction, TheEndOfAWaitCanBeWhatWaits) {
  TraceBuilder b;
  const auto outer = b.global(), m = b.global(), cv = b.global();
  auto main = b.main_thread();
  auto waiter = main.fork();
  waiter.lock(outer).lock(m).cond_wait(cv, m);
  main.lock(m).notify_one(cv).unlock(m);
  waiter.cond_wake(cv, m, main).unlock(m).unlock(outer);
  main.lock(m).lock(outer).unlock(outer).unlock(m);
  trace::TraceTables tables = b.tables();
  for (trace::EventRecord& event : tables.events) event.flags |= trace::event_flag::kPoint;
  for (size_t i = 1; i < tables.events.size(); ++i) {
    const EventKind before = tables.events[i - 1].kind;
    if (before == EventKind::kCondWait || before == EventKind::kCondWake)
      tables.events[i].flags &= static_cast<uint16_t>(~trace::event_flag::kPoint);
  }
  const Trace stepwise = Trace::from_tables(tables);
  const Predictions deadlocks = predict_deadlocks(TraceModel(stepwise));
  ASSERT_EQ(deadlocks.found.size(), 1U);
  // The waiter has been notified, but has not come back: begin, two locks, wait and unlock.
  EXPECT_EQ(deadlocks.found[0].witness.cut, (std::vector<uint32_t>{5, 5}));
}

TEST(DeadlockPrediction, SaysWhatItLeftOut) {
  const TraceModel model(cycle_of(4));
  EXPECT_EQ(predict_deadlocks(model, {.max_steps = 3}).left_out,
            "there are very many cycles of locks; those of 2 and more threads were not all looked at");
}

RandomTrace nested_locks(std::mt19937_64& random) {
  RandomTrace wanted = RandomTrace::anything(random);
  wanted.locks = 2 + random() % 2;
  wanted.events = 14 + random() % 9;
  wanted.nested = true;
  wanted.lock_percent = 95;
  wanted.switch_percent = 10 + random() % 30;
  return wanted;
}

TEST(DeadlockPrediction, CyclesAreExactlyTheSyncPreservingDeadlocksOfAllReorderings) {
  std::mt19937_64 random(1);
  uint64_t deadlocks[5] = {};
  for (int round = 0; round < 20000; ++round) {
    const RandomTrace wanted = nested_locks(random);
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    const Reorderings all(trace, Reordering::kSyncPreserving);
    for (size_t length = 2; length <= 3; ++length) {
      std::vector<EventIndex> begun;
      for_each_sequence(model, length, &begun, [&](const std::vector<EventIndex>& events) {
        Witness witness;
        const bool predicted = is_sync_preserving_deadlock(model, events, &witness);
        const bool waits = std::all_of(events.begin(), events.end(), [&](EventIndex event) {
          const EventKind kind = trace.events()[event].kind;
          return kind == EventKind::kLock || kind == EventKind::kReadLock;
        });
        // Three can also be stuck because two are.
        const bool exact = length == 2 && waits && !wanted.try_locks && !wanted.semaphores;
        if (predicted || exact) {
          ASSERT_EQ(predicted, all.can_deadlock(widened(events))) << "round " << round << "\n"
                                                                  << text_of(trace);
        }
        if (!predicted) return;
        ++deadlocks[length];
        const Prediction prediction{PredictionKind::kDeadlock, 0, widened(events), witness};
        ASSERT_EQ(check_witness(trace, prediction), "") << "round " << round << "\n" << text_of(trace);
      });
    }
  }
  EXPECT_GT(deadlocks[2], 500U);
  EXPECT_GT(deadlocks[3], 10U);
}

// The patterns that have a deadlock with an acquisition in focus, by asking about each sequence.
std::set<Pattern> all_patterns(const TraceModel& model, const Focus& focus) {
  std::set<Pattern> patterns;
  for (size_t length = 2; length <= 4; ++length) {
    std::vector<EventIndex> begun;
    for_each_sequence(model, length, &begun, [&](const std::vector<EventIndex>& events) {
      if (std::ranges::any_of(events, [&](EventIndex event) { return focus.includes(event); }) &&
          is_sync_preserving_deadlock(model, events))
        patterns.insert(pattern_of(model, events));
    });
  }
  return patterns;
}

std::set<Pattern> patterns_of(const TraceModel& model, const Predictions& deadlocks) {
  std::set<Pattern> patterns;
  for (const Prediction& deadlock : deadlocks.found)
    patterns.insert(pattern_of(model, {deadlock.events.begin(), deadlock.events.end()}));
  return patterns;
}

TEST(DeadlockPrediction, FindsEveryPatternThatHasADeadlockAndNoOther) {
  std::mt19937_64 random(2);
  uint64_t deadlocks = 0;
  for (int round = 0; round < 6000; ++round) {
    RandomTrace wanted = nested_locks(random);
    wanted.events = 15 + random() % 20;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    const Predictions predictions = predict_deadlocks(model);
    for (const Prediction& deadlock : predictions.found)
      ASSERT_EQ(check_witness(trace, deadlock), "") << "round " << round << "\n" << text_of(trace);
    const std::set<Pattern> found = patterns_of(model, predictions);
    ASSERT_EQ(found, all_patterns(model, Focus())) << "round " << round << "\n" << text_of(trace);
    deadlocks += found.size();
  }
  EXPECT_GT(deadlocks, 500U);
}

TEST(DeadlockPrediction, InFocusFindsEveryPatternThatHasADeadlockWithAChosenAcquisition) {
  std::mt19937_64 random(3);
  uint64_t deadlocks = 0;
  uint64_t explored = 0;
  uint64_t all_explored = 0;
  for (int round = 0; round < 6000; ++round) {
    RandomTrace wanted = nested_locks(random);
    wanted.events = 15 + random() % 20;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    std::vector<uint64_t> chosen;
    for (uint64_t event = 0; event < model.size(); ++event)
      if (random() % 8 == 0) chosen.push_back(event);
    const Focus focus(model.size(), chosen);
    const Predictions predictions = predict_deadlocks(model, {.focus = focus});
    for (const Prediction& deadlock : predictions.found) {
      ASSERT_TRUE(
          std::ranges::any_of(deadlock.events, [&](uint64_t event) { return focus.includes(event); }));
      ASSERT_EQ(check_witness(trace, deadlock), "") << "round " << round << "\n" << text_of(trace);
    }
    const std::set<Pattern> found = patterns_of(model, predictions);
    ASSERT_EQ(found, all_patterns(model, focus)) << "round " << round << "\n" << text_of(trace);
    deadlocks += found.size();
    explored += predictions.explored;
    all_explored += predict_deadlocks(model).explored;
  }
  EXPECT_GT(deadlocks, 100U);
  EXPECT_LT(explored * 2, all_explored);
}

}  // namespace
}  // namespace heddle
