// Many threads, many objects, huge accesses: bounded, or refused in a sentence.
#include <random>

#include <fmt/format.h>

#include "../trace/random_trace.h"
#include "detecting.h"
#include "trace/std_text.h"

namespace heddle::detect {
namespace {

using trace::StdReader;
using trace::TraceBuilder;

Expected<Detections> detect_text(const std::string& text, const DetectOptions& options = {}) {
  const auto reader = StdReader::over(text, "text");
  return detect(*reader, options);
}

TEST(Limits, ManyThreadsThatRunAtOnceCostLittle) {
  constexpr int kThreads = 50'000;
  std::string text;
  for (int i = 1; i <= kThreads; ++i) text += fmt::format("T0|fork(T{})|1\n", i);
  for (int i = 1; i <= kThreads; ++i) text += fmt::format("T{}|w(V{})|2\n", i, i);
  for (int i = 1; i <= kThreads; ++i) text += fmt::format("T0|join(T{})|3\nT0|w(V{})|4\n", i, i);
  const auto found = detect_text(text, {.reads_from = false});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_TRUE(found->races.empty());
  EXPECT_LT(found->bytes, uint64_t{200} << 20);
  // With reads-from, every write keeps what its thread knew: here, of more and more threads.
  const auto too_much = detect_text(text, {.most_bytes = uint64_t{200} << 20});
  ASSERT_FALSE(too_much);
  EXPECT_NE(too_much.error().message.find("text: more than 200 MB"), std::string::npos);
}

TEST(Limits, ManyThreadsThatRaceForOneVariableTakeLinearTime) {
  std::string text;
  for (uint32_t i = 0; i < 100'000; ++i) fmt::format_to(std::back_inserter(text), "T{}|w(x)|1\n", i);
  const auto found = detect_text(text);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->races.size(), 1u);
  EXPECT_EQ(found->lock_set.size(), 1u);
  EXPECT_EQ(found->potential_races.size(), 1u);
}

TEST(Limits, WhatIsFreedCostsNothing) {
  TraceBuilder b;
  auto main = b.main_thread();
  for (int i = 0; i < 20'000; ++i) {
    const auto block = main.allocate(64);
    for (uint32_t part = 0; part < 64; part += 4)
      main.write(block.part(part, 2)).write(block.part(part + 2, 2));
    main.free(block);
  }
  trace::TraceEvents events(b.build());
  const auto found = detect(events, {.races = false, .hybrid = false, .lock_order = false});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_LT(found->bytes, uint64_t{8} << 20);
}

TEST(Limits, NeedingTooMuchMemoryIsAnErrorThatSaysWhere) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += fmt::format("T0|w(V{})|2\n", i);
  const auto found = detect_text(text, {.most_bytes = 1 << 20});
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("text: more than 1 MB"), std::string::npos) << found.error().message;
}

TEST(Limits, OneHugeAccessIsRefusedBeforeItFillsTheMemory) {
  TraceBuilder b;
  auto main = b.main_thread();
  const auto block = main.allocate(~0u);
  main.write(block);
  trace::TraceEvents events(b.build(), "huge.trace");
  const auto found = detect(events);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message, "huge.trace: more than 4096 MB of memory are needed at event 1");
}

TEST(Limits, LargeAccessesWork) {
  TraceBuilder b;
  auto main = b.main_thread();
  const auto block = main.allocate(1 << 20);
  auto child = main.fork();
  main.write(block).at(1);
  child.read(block.part(1'000'000, 1)).at(2);
  EXPECT_EQ(races_of(b), (SitePairs{{1, 2}}));
}

// Any records that are valid, in any order: no crash, and no answer that points elsewhere.
TEST(Limits, ChaoticTracesAreSurvived) {
  uint64_t looked_at = 0;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const trace::Trace trace = trace::random_trace(seed);
    trace::TraceEvents events(trace);
    const auto found = detect(events);
    if (!found) continue;
    looked_at++;
    EXPECT_EQ(found->events, trace.events().size());
    for (const PairFinding& race : found->races) {
      ASSERT_LT(race.second.event, trace.events().size());
      EXPECT_LT(race.first.event, race.second.event);
      EXPECT_EQ(trace.events()[race.first.event].object, race.object);
    }
  }
  EXPECT_GT(looked_at, 50u);
}

// Sixteen threads that nest locks in every order: more rings than anybody could list.
TEST(Limits, ATangleOfLocksIsSearchedOnlySoFar) {
  std::mt19937_64 random(1);
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t thread = random() % 16, first = random() % 64;
    const uint64_t second = (first + 1 + random() % 31) % 64, third = (second + 32) % 64;
    if (third == first) continue;
    for (const uint64_t lock : {first, second, third})
      text += fmt::format("T{}|acq(L{})|{}\n", thread, lock, i % 50);
    for (const uint64_t lock : {third, second, first}) text += fmt::format("T{}|rel(L{})|1\n", thread, lock);
  }
  const auto found =
      detect_text(text, {.races = false, .lock_set = false, .hybrid = false, .most_findings = 100});
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->cycles.size(), 100u);
  EXPECT_EQ(found->cycles[0].edges.size(), 2u);
  EXPECT_FALSE(found->cycles_complete);
}

TEST(Limits, FindingsBeyondTheLimitAreCounted) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += fmt::format("T0|w(V{})|a{}\nT1|w(V{})|b{}\n", i, i, i, i);
  const auto found = detect_text(text, {.lock_set = false, .hybrid = false, .most_findings = 10});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->races.size(), 10u);
  EXPECT_EQ(found->left_out, 90u);
}

TEST(Limits, AnAccessAtTheEndOfTheAddressSpaceEndsThere) {
  TraceBuilder b;
  auto main = b.main_thread();
  const auto block = main.allocate(64);
  auto child = main.fork();
  const TraceBuilder::Location last{block.object, ~uint64_t{0} - 3, 16};
  main.write(last).at(1);
  child.read(last).at(2);
  EXPECT_EQ(races_of(b), (SitePairs{{1, 2}}));
}

TEST(Limits, ATraceThatBeginsLateHasNoFalseOrder) {
  TraceBuilder b;
  const auto x = b.global(), m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  child.unlock(m).write(x).at(1);
  main.unlock(m).read(x).at(2);
  b.tables().events_dropped = 100;
  EXPECT_EQ(races_of(b), (SitePairs{{1, 2}}));
}

TEST(Limits, EventsAfterTheEndOfTheirThreadAreRefused) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.join(child);
  auto event = b.tables().events.back();
  event.thread = child.index();
  event.kind = trace::EventKind::kWrite;
  event.object = x.object;
  event.offset = x.offset;
  event.size = 8;
  b.tables().events.push_back(event);
  trace::TraceEvents events(b.build(), "late.trace");
  const auto found = detect(events);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message,
            "late.trace cannot be what happened, at event 4: main/1 goes on after main joined it at event 3");
}

}  // namespace
}  // namespace heddle::detect
