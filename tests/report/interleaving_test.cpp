#include "report/interleaving.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

#include "../symbolize/fake_symbolizer.h"
#include "sample_traces.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::Trace;
using trace::TraceBuilder;

// Threads that read and write a few locations on 40 lines in random order.
Trace random_trace(uint32_t seed, size_t thread_count, size_t event_count) {
  std::mt19937 random(seed);
  TraceBuilder builder;
  std::vector<TraceBuilder::Location> locations = {builder.global(), builder.global(), builder.global()};
  std::vector<TraceBuilder::Thread> threads = {builder.main_thread()};
  while (threads.size() < thread_count) threads.push_back(threads[0].fork());
  for (size_t i = 0; i < event_count; ++i) {
    TraceBuilder::Thread& thread = threads[random() % thread_count];
    TraceBuilder::Location location = locations[random() % locations.size()];
    (random() % 2 == 0 ? thread.read(location) : thread.write(location)).at(1 + random() % 40);
  }
  builder.outcome(trace::OutcomeKind::kAssertion, threads[random() % thread_count], "x");
  return builder.build();
}

std::set<uint32_t> threads_with_steps(const Trace& trace) {
  std::set<uint32_t> threads;
  for (const trace::EventRecord& event : trace.events()) {
    if (event.kind != trace::EventKind::kThreadBegin) threads.insert(event.thread);
  }
  return threads;
}

TEST(Interleaving, KeepsItsLimitsAndItsOrderOnAnyTrace) {
  FakeSymbolizer symbolizer;
  symbolizer.function("work", 1, 40);
  for (uint32_t seed = 0; seed < 200; ++seed) {
    Trace trace = random_trace(seed, 1 + seed % 7, seed * 5);
    ReportContext context(trace, symbolizer);
    FailureStory story = *tell_failure(context);
    Interleaving interleaving = select_interleaving(context, story);
    EXPECT_LE(interleaving.rows.size(), 40u) << seed;
    EXPECT_LE(interleaving.threads.size(), 4u) << seed;
    uint64_t next = 0;
    for (const InterleavingRow& row : interleaving.rows) {
      if (row.is_gap()) continue;
      EXPECT_GE(row.step.event, next) << seed;
      next = row.step.event + row.step.events;
    }
  }
}

TEST(Interleaving, AccountsForEveryEventOfTheThreadsShown) {
  FakeSymbolizer symbolizer;
  symbolizer.function("work", 1, 40);
  for (uint32_t seed = 0; seed < 50; ++seed) {
    Trace trace = random_trace(seed, 3, 300);
    ReportContext context(trace, symbolizer);
    Interleaving interleaving = select_interleaving(context, *tell_failure(context));
    ASSERT_EQ(interleaving.threads.size(), 3u);
    size_t events = 0;
    for (const InterleavingRow& row : interleaving.rows) {
      events += row.is_gap() ? 0 : row.step.events;
      for (const InterleavingRow::Skipped& skipped : row.gap) events += skipped.events;
    }
    EXPECT_EQ(events, 302u) << "300 accesses and two forks; the beginnings of threads are not steps";
  }
}

TEST(Interleaving, KeepsTheLastStepOfEveryThreadShown) {
  FakeSymbolizer symbolizer;
  symbolizer.function("work", 1, 40);
  for (uint32_t seed = 0; seed < 50; ++seed) {
    Trace trace = random_trace(seed, 4, 400);
    ReportContext context(trace, symbolizer);
    Interleaving interleaving = select_interleaving(context, *tell_failure(context));
    std::set<uint32_t> shown;
    for (auto row = interleaving.rows.rbegin(); row != interleaving.rows.rend() && !row->is_gap(); ++row) {
      shown.insert(row->step.thread);
    }
    std::set<uint32_t> anywhere;
    for (const InterleavingRow& row : interleaving.rows) {
      if (!row.is_gap()) anywhere.insert(row.step.thread);
    }
    EXPECT_FALSE(shown.empty()) << "the view ends with a step";
    EXPECT_EQ(anywhere, threads_with_steps(trace));
  }
}

TEST(Interleaving, KeepsAKeyEventHoweverLongAgoItWas) {
  TraceBuilder builder;
  auto x = builder.global();
  auto y = builder.global();
  auto main = builder.main_thread();
  main.write(x).at(1);
  for (int i = 0; i < 60'000; ++i) main.write(y).at(2 + static_cast<uint64_t>(i % 2));
  builder.outcome(trace::OutcomeKind::kAssertion, main);
  Trace trace = builder.build();
  FakeSymbolizer symbolizer;
  symbolizer.function("work", 1, 40);
  ReportContext context(trace, symbolizer);
  FailureStory story;
  story.add_thread(0);
  story.key_events = {0};
  Interleaving interleaving = select_interleaving(context, story);
  ASSERT_GE(interleaving.rows.size(), 3u);
  EXPECT_EQ(interleaving.rows[0].step.event, 0u);
  ASSERT_EQ(interleaving.rows[1].gap.size(), 1u) << "what lies between is counted";
  EXPECT_GT(interleaving.rows[1].gap[0].events, 59'000u);
}

TEST(Interleaving, MergesOperationsOnOneLineIntoOneStep) {
  TraceBuilder builder;
  auto x = builder.global();
  builder.main_thread().read(x).at(1).write(x).at(1).read(x).at(2);
  builder.outcome(trace::OutcomeKind::kAssertion, builder.main_thread());
  Trace trace = builder.build();
  FakeSymbolizer symbolizer;
  symbolizer.function("work", 1, 40).variable("x", x.offset, 8);
  ReportContext context(trace, symbolizer);
  Interleaving interleaving = select_interleaving(context, *tell_failure(context));
  ASSERT_EQ(interleaving.rows.size(), 2u);
  EXPECT_EQ(interleaving.rows[0].step.events, 2u);
  EXPECT_EQ(interleaving.rows[0].step.description, "read x, write x");
}

}  // namespace
}  // namespace heddle
