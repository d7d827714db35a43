// Predictions beyond single patterns: locks, hand-overs, atomics, and units that no pattern describes.
#include "predict/atomicity.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "predict/patterns.h"
#include "reorderings.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::EventKind;
using trace::TraceBuilder;
using Thread = TraceBuilder::Thread;
using Location = TraceBuilder::Location;

struct Scene {
  TraceBuilder b;
  Thread main = b.main_thread();
  Location object = main.allocate(32);
  Location x = object.part(0, 8);
  Location y = object.part(8, 8);
  Location mutex = b.global();
  Thread u = main.fork();
  Thread v = main.fork();
};

AtomicityReport report_of(const trace::Trace& trace, const AtomicityOptions& options = {}) {
  AtomicityReport report = predict_atomicity(TraceModel(trace), options);
  // Whatever is predicted has a witness that can be executed.
  for (const AtomicityPrediction& one : report.predictions) {
    const std::set<uint64_t> exempt(one.prediction.events.begin(), one.prediction.events.end());
    EXPECT_EQ(check_schedule(trace, schedule_of(trace, one.prediction.witness), exempt), "");
  }
  return report;
}

std::vector<uint32_t> patterns_of(const AtomicityReport& report) {
  std::vector<uint32_t> patterns;
  for (const AtomicityPrediction& one : report.predictions) patterns.push_back(one.prediction.pattern);
  std::ranges::sort(patterns);
  return patterns;
}

using List = std::vector<uint32_t>;

// The check and the act are each protected, but not both together.
void check_then_act(Scene& s, Thread thread) {
  thread.call(1).lock(s.mutex).read(s.x).at(10).unlock(s.mutex);
  thread.lock(s.mutex).write(s.x).at(11).unlock(s.mutex).leave();
}

TEST(Atomicity, IsViolatedBetweenTwoCriticalSections) {
  Scene s;
  check_then_act(s, s.u);
  check_then_act(s, s.v);
  const AtomicityReport report = report_of(s.b.build());
  ASSERT_EQ(patterns_of(report), (List{1}));
  EXPECT_EQ(report.predictions[0].prediction.kind, PredictionKind::kPattern);
  EXPECT_EQ(report.predictions[0].set.kind, SetKind::kObject);
}

TEST(Atomicity, IsNotViolatedUnderAnOuterLock) {
  Scene s;
  const Location outer = s.b.global();
  for (Thread* thread : {&s.u, &s.v}) {
    thread->lock(outer);
    check_then_act(s, *thread);
    thread->unlock(outer);
  }
  EXPECT_TRUE(report_of(s.b.build()).predictions.empty());
}

TEST(Atomicity, ReadersOfOneLockExcludeOnlyWriters) {
  for (const bool other_writes : {false, true}) {
    Scene s;
    s.u.read_lock(s.mutex).read(s.x).read(s.x).read_unlock(s.mutex);
    if (other_writes)
      s.v.lock(s.mutex).write(s.x).unlock(s.mutex);
    else
      s.v.read_lock(s.mutex).write(s.x).read_unlock(s.mutex);
    EXPECT_EQ(patterns_of(report_of(s.b.build())), other_writes ? List{} : List{2});
  }
}

// The witness has the critical sections in another order than the trace.
TEST(Atomicity, DoesNotDependOnWhichSectionWasFirst) {
  for (const bool other_first : {false, true}) {
    Scene s;
    const auto other = [&] { s.v.call(3).lock(s.mutex).write(s.x).at(20).unlock(s.mutex).leave(); };
    if (other_first) other();
    check_then_act(s, s.u);
    if (!other_first) other();
    const AtomicityReport report = report_of(s.b.build());
    EXPECT_EQ(patterns_of(report), (List{1}));
    // Only if u has seen what v wrote is it an assumption that it goes on.
    EXPECT_EQ(report.predictions[0].prediction.assumes_same_path, other_first);
  }
}

// u writes a request and reads the answer, v waits for the one and writes the other.
TEST(Atomicity, IsNotExpectedOfThreadsThatTalkToEachOther) {
  Scene s;
  const Location flag = s.b.global();
  const Location answered = s.b.global();
  s.u.call(1).write(s.x).atomic_write(flag);
  s.v.call(2).atomic_read(flag).read(s.x).write(s.x).atomic_write(answered).leave();
  s.u.atomic_read(answered).read(s.x).leave();
  const AtomicityReport report = report_of(s.b.build());
  EXPECT_TRUE(report.predictions.empty());
  EXPECT_GT(report.expected + report.infeasible, 0u);
}

TEST(Atomicity, OfACheckAndAnActOnAnAtomicIsViolated) {
  for (const bool adds : {false, true}) {
    Scene s;
    for (Thread* thread : {&s.u, &s.v}) {
      thread->atomic_read(s.x).at(1);
      if (adds)
        thread->atomic_update(s.x).at(2);
      else
        thread->atomic_write(s.x).at(2);
    }
    EXPECT_EQ(patterns_of(report_of(s.b.build())), (List{1}));
  }
}

TEST(Atomicity, OfACompareExchangeIsCertain) {
  Scene s;
  for (Thread* thread : {&s.u, &s.v})
    thread->atomic_read(s.x).at(1).atomic_update(s.x).at(2).flag(trace::event_flag::kCompare);
  EXPECT_TRUE(report_of(s.b.build()).predictions.empty());
}

TEST(Atomicity, IsNotExpectedOfAtomicCounters) {
  Scene s;
  for (Thread* thread : {&s.u, &s.v})
    thread->atomic_update(s.x).atomic_update(s.y).atomic_update(s.x).atomic_update(s.y);
  const AtomicityReport report = report_of(s.b.build());
  EXPECT_TRUE(report.predictions.empty());
  EXPECT_TRUE(report.observed.empty());
}

TEST(Atomicity, OfAtomicReadsIsPredictedOnDemand) {
  Scene s;
  s.u.atomic_read(s.x).atomic_read(s.x);
  s.v.atomic_write(s.x);
  const trace::Trace trace = s.b.build();
  const AtomicityReport report = report_of(trace);
  EXPECT_TRUE(report.predictions.empty());
  EXPECT_GT(report.atomic_reads, 0u);
  AtomicityOptions options;
  options.atomic_reads = true;
  EXPECT_EQ(patterns_of(report_of(trace, options)), (List{2}));
}

// Each reads what the other writes: no pattern, and still neither of them was first.
TEST(Atomicity, WriteSkewIsNotSerializable) {
  Scene s;
  s.u.read(s.x).at(1).write(s.y).at(2);
  s.v.read(s.y).at(3).write(s.x).at(4);
  const trace::Trace trace = s.b.build();
  const AtomicityReport report = report_of(trace);
  ASSERT_EQ(patterns_of(report), (List{0}));
  EXPECT_EQ(report.predictions[0].prediction.kind, PredictionKind::kNotSerializable);
  EXPECT_EQ(report.predictions[0].prediction.events.size(), 4u);
}

TEST(Atomicity, ACycleOfThreeUnitsIsReportedWhereItHappened) {
  Scene s;
  const Location z = s.object.part(16, 8);
  Thread w = s.main.fork();
  s.u.read(s.x);
  s.v.read(s.y);
  w.read(z);
  s.u.write(s.y);
  s.v.write(z);
  w.write(s.x);
  s.u.event(EventKind::kYield);
  const trace::Trace trace = s.b.build();
  const AtomicityReport report = report_of(trace);
  EXPECT_EQ(report.observed.size(), 1u);

  const std::vector<Prediction> all = all_predictions(TraceModel(trace), report);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].kind, PredictionKind::kNotSerializable);
  EXPECT_TRUE(all[0].observed);
  ASSERT_EQ(all[0].events.size(), 2u);
  // The trace as far as the cycle goes: all but the last event.
  const std::vector<uint64_t> schedule = schedule_of(trace, all[0].witness);
  ASSERT_EQ(schedule.size(), trace.events().size() - 1);
  EXPECT_EQ(schedule.back(), all[0].events[1]);
}

TEST(Atomicity, WhatRestsOnAnAssumptionComesAfterWhatIsCertain) {
  AtomicityReport report;
  for (const bool assumes : {true, false})
    report.predictions.push_back({.prediction = {.assumes_same_path = assumes}, .set = {}});
  const std::vector<Prediction> all = all_predictions(TraceModel(trace::Trace()), report);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_FALSE(all[0].assumes_same_path);
  EXPECT_TRUE(all[1].assumes_same_path);
  EXPECT_FALSE(all[0].observed || all[1].observed);
}

TEST(Atomicity, OfEachPatternAtTheSameSitesIsPredictedOnce) {
  Scene s;
  const Location other = s.main.allocate(32);
  for (int round = 0; round < 10; ++round) {
    for (const Location& object : {s.object, other}) {
      s.u.call(1).read(object.part(0, 8)).at(1).write(object.part(0, 8)).at(2).leave();
      s.v.call(2).write(object.part(0, 8)).at(3).leave();
    }
  }
  EXPECT_EQ(patterns_of(report_of(s.b.build())), (List{1}));
}

TEST(Atomicity, PredictionsHaveALimit) {
  Scene s;
  for (int i = 0; i < 5; ++i) {
    s.u.call(1).read(s.x).write(s.x).leave().event(EventKind::kYield);
    s.v.call(2).write(s.x).leave().event(EventKind::kYield);
  }
  AtomicityOptions options;
  options.most_predictions = 3;
  const AtomicityReport report = report_of(s.b.build(), options);
  EXPECT_EQ(report.predictions.size(), 3u);
  EXPECT_TRUE(report.too_many_predictions);
}

TEST(Atomicity, OfAnEmptyTraceIsNotViolated) {
  EXPECT_TRUE(predict_atomicity(TraceModel(trace::Trace())).predictions.empty());
}

}  // namespace
}  // namespace heddle
