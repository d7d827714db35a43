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

TEST(DeadlockPrediction, FindsEveryPatternThatHasADeadlockAndNoOther) {
  std::mt19937_64 random(2);
  uint64_t deadlocks = 0;
  for (int round = 0; round < 6000; ++round) {
    RandomTrace wanted = nested_locks(random);
    wanted.events = 15 + random() % 20;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    std::set<Pattern> expected;
    for (size_t length = 2; length <= 4; ++length) {
      std::vector<EventIndex> begun;
      for_each_sequence(model, length, &begun, [&](const std::vector<EventIndex>& events) {
        if (is_sync_preserving_deadlock(model, events)) expected.insert(pattern_of(model, events));
      });
    }
    const Predictions predictions = predict_deadlocks(model);
    std::set<Pattern> found;
    for (const Prediction& deadlock : predictions.found) {
      found.insert(pattern_of(model, {deadlock.events.begin(), deadlock.events.end()}));
      ASSERT_EQ(check_witness(trace, deadlock), "") << "round " << round << "\n" << text_of(trace);
    }
    ASSERT_EQ(found, expected) << "round " << round << "\n" << text_of(trace);
    deadlocks += found.size();
  }
  EXPECT_GT(deadlocks, 500U);
}

}  // namespace
}  // namespace heddle
