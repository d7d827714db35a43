#include "predict/race_prediction.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "random_trace.h"
#include "reorderings.h"
#include "trace/trace_builder.h"
#include "trace_text.h"

namespace heddle {
namespace {

using trace::Trace;
using trace::TraceBuilder;

std::set<uint64_t> reads_of(const Prediction& prediction) {
  return {prediction.events.begin(), prediction.events.end()};
}

// The pairs of sites of all sync-preserving races, by asking about each pair.
std::set<std::pair<uint32_t, uint32_t>> racing_sites(const TraceModel& model) {
  std::set<std::pair<uint32_t, uint32_t>> sites;
  for (EventIndex second = 0; second < model.size(); ++second) {
    for (EventIndex first = 0; first < second; ++first) {
      if (is_sync_preserving_race(model, first, second))
        sites.insert(std::minmax(model.site_of(first), model.site_of(second)));
    }
  }
  return sites;
}

bool has_race(const Trace& trace) {
  return !predict_races(TraceModel(trace)).found.empty();
}

// The order of critical sections that was seen hides the race from happens-before.
TEST(RacePrediction, FindsARaceThatALuckyOrderOfCriticalSectionsMasks) {
  TraceBuilder b;
  const auto x = b.global(), y = b.global(), m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.write(x).at(1).lock(m).write(y).unlock(m);
  child.lock(m).write(y).unlock(m).write(x).at(2);
  const Trace trace = b.build();
  const Predictions races = predict_races(TraceModel(trace));
  ASSERT_EQ(races.found.size(), 1U);
  EXPECT_EQ(races.found[0].events, (std::vector<uint64_t>{2, 9}));
  EXPECT_EQ(races.found[0].witness.cut, (std::vector<uint32_t>{1, 4}));
  EXPECT_EQ(races.found[0].witness.tail, (std::vector<uint64_t>{2, 9}));
}

TEST(RacePrediction, PartsOfAWordOnAStackRaceWhereTheyOverlap) {
  for (const bool overlap : {false, true}) {
    TraceBuilder b;
    auto main = b.main_thread();
    auto child = main.fork();
    const auto word = b.stack(main);
    main.write(overlap ? word : word.part(0, 4));
    child.read(word.part(4, 4));
    EXPECT_EQ(has_race(b.build()), overlap);
  }
}

TEST(RacePrediction, WhatASectionReadsOrdersIt) {
  TraceBuilder b;
  const auto x = b.global(), y = b.global(), m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.write(x).lock(m).write(y).unlock(m);
  child.lock(m).read(y).unlock(m).write(x);
  EXPECT_FALSE(has_race(b.build()));
}

// Section 3 of POPL'21: such races need another order of critical sections, and are not of the class.
TEST(RacePrediction, DoesNotReverseCriticalSections) {
  TraceBuilder b;
  const auto x = b.global(), m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.lock(m).write(x).unlock(m);
  child.lock(m).unlock(m).write(x);
  const Trace trace = b.build();
  EXPECT_TRUE(Reorderings(trace, Reordering::kCorrect).can_race(3, 7));
  EXPECT_FALSE(Reorderings(trace, Reordering::kSyncPreserving).can_race(3, 7));
  EXPECT_FALSE(has_race(trace));
}

TEST(RacePrediction, ThreadsThatAreCreatedOrJoinedInBetweenDoNotRace) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  main.write(x);
  auto first = main.fork();
  first.write(x);
  main.join(first);
  auto second = main.fork();
  second.write(x);
  main.join(second).write(x);
  EXPECT_FALSE(has_race(b.build()));
}

TEST(RacePrediction, PublicationByAnAtomicFlagIsNoRace) {
  TraceBuilder b;
  const auto data = b.global(), flag = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.write(data).atomic_write(flag);
  child.atomic_read(flag).read(data);
  EXPECT_FALSE(has_race(b.build()));
}

TEST(RacePrediction, AtomicAccessesRaceWithPlainOnesOnly) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.atomic_write(x).at(1);
  child.atomic_write(x).at(2);
  EXPECT_FALSE(has_race(b.build()));
  child.write(x).at(3);
  EXPECT_TRUE(has_race(b.build()));
}

TEST(RacePrediction, HandOverByAConditionVariableIsNoRace) {
  TraceBuilder b;
  const auto x = b.global(), m = b.global(), cv = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  child.lock(m).cond_wait(cv, m);
  main.write(x).lock(m).notify_one(cv).unlock(m);
  child.cond_wake(cv, m, main).unlock(m).read(x);
  EXPECT_FALSE(has_race(b.build()));
}

TEST(RacePrediction, BytesCount) {
  TraceBuilder b;
  const auto x = b.global(64);
  auto main = b.main_thread();
  auto child = main.fork();
  main.write(x.part(0, 31)).at(1);
  child.write(x.part(31, 33)).at(2);
  EXPECT_FALSE(has_race(b.build()));
  child.write(x.part(30, 1)).at(3);
  EXPECT_TRUE(has_race(b.build()));
}

TEST(RacePrediction, FreeingRacesWithEveryAccess) {
  TraceBuilder b;
  const auto pointer = b.global();
  auto main = b.main_thread();
  const auto object = main.allocate(24);
  main.write(pointer);
  auto child = main.fork();
  child.read(pointer).read(object.part(16, 8)).at(1);
  main.free(object).at(2);
  const Trace trace = b.build();
  const Predictions races = predict_races(TraceModel(trace));
  ASSERT_EQ(races.found.size(), 1U);
  EXPECT_EQ(trace.events()[races.found[0].events[1]].kind, trace::EventKind::kFree);
}

TEST(RacePrediction, ReadersOfALockExcludeWritersOnly) {
  TraceBuilder b;
  const auto x = b.global(), m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.lock(m).write(x).unlock(m);
  child.read_lock(m).read(x).read_unlock(m);
  EXPECT_FALSE(has_race(b.build()));
  main.read_lock(m).write(x).read_unlock(m);
  EXPECT_TRUE(has_race(b.build()));
}

// A trace from elsewhere may have no event for the beginning of a thread.
TEST(RacePrediction, TheFirstEventOfAThreadNeedsItsFork) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  main.write(x);
  auto child = main.fork();
  child.write(x);
  std::erase_if(b.tables().events,
                [](const trace::EventRecord& event) { return event.kind == trace::EventKind::kThreadBegin; });
  EXPECT_FALSE(has_race(b.build()));
}

TEST(RacePrediction, SaysWhereItEndedIfThereAreVeryManyRaces) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  for (int i = 0; i < 10; ++i) {
    main.write(x);
    child.write(x);
  }
  const TraceModel model(b.build());
  EXPECT_EQ(predict_races(model, {.max_races = 3}).left_out,
            "the search for races ended at event 5 of 22: enough were found");
  EXPECT_EQ(predict_races(model).found.size(), 100U);
  EXPECT_EQ(predict_races(model, {.one_per = RaceOptions::OnePer::kLocation}).found.size(), 1U);
}

TEST(RacePrediction, LeavesThreadsOutForWhichThereIsNoMemory) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  std::vector<TraceBuilder::Thread> children;
  for (int i = 0; i < 100; ++i) children.push_back(main.fork());
  for (TraceBuilder::Thread& child : children) child.write(x);
  const TraceModel model(b.build());
  EXPECT_EQ(predict_races(model).found.size(), 100U * 99 / 2);
  const Predictions races = predict_races(model, {.max_memory_bytes = 100000});
  EXPECT_GT(races.found.size(), 100U);
  EXPECT_LT(races.found.size(), 2000U);
  EXPECT_NE(races.left_out.find("threads were left out: 0 MB of memory were allowed"), std::string::npos);
}

TEST(RacePrediction, SaysThatThereAreTooManyThreads) {
  TraceBuilder b;
  auto main = b.main_thread();
  for (int i = 0; i < 5000; ++i) main.fork();
  const TraceModel model(b.build());
  EXPECT_EQ(predict_races(model).left_out,
            "the trace has 5001 threads, and races are predicted for up to 4096");
}

TEST(RacePrediction, PairsAreExactlyTheSyncPreservingRacesOfAllReorderings) {
  std::mt19937_64 random(1);
  uint64_t races = 0;
  for (int round = 0; round < 6000; ++round) {
    const RandomTrace wanted = RandomTrace::anything(random);
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    const Reorderings all(trace, Reordering::kSyncPreserving);
    for (EventIndex second = 0; second < model.size(); ++second) {
      for (EventIndex first = 0; first < second; ++first) {
        if (model.thread_of(first) == model.thread_of(second) || !model.conflict(first, second)) continue;
        Witness witness;
        const bool predicted = is_sync_preserving_race(model, first, second, &witness);
        // A failed try-lock needs the very section that was in its way, and a semaphore all posts: sound,
        // but not complete.
        if (!predicted && (wanted.try_locks || wanted.semaphores)) continue;
        ASSERT_EQ(predicted, all.can_race(first, second))
            << "round " << round << ", events " << first << " and " << second << "\n"
            << text_of(trace);
        if (!predicted) continue;
        ++races;
        ASSERT_EQ(check_schedule(trace, schedule_of(trace, witness), {first, second}), "")
            << "round " << round << "\n"
            << text_of(trace);
      }
    }
  }
  EXPECT_GT(races, 5000U);
}

TEST(RacePrediction, FindsEveryRacingPairOfSitesAndNoOther) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 10000; ++round) {
    RandomTrace wanted = RandomTrace::anything(random);
    wanted.events = 10 + random() % 30;
    wanted.sites = random() % 2 == 0 ? 0 : 1 + random() % 6;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    std::set<std::pair<uint32_t, uint32_t>> found;
    const auto forget_every = static_cast<uint32_t>(1 + random() % 8);
    const Predictions predictions = predict_races(model, {.forget_every = forget_every});
    for (const Prediction& race : predictions.found) {
      found.insert(std::minmax(model.site_of(static_cast<EventIndex>(race.events[0])),
                               model.site_of(static_cast<EventIndex>(race.events[1]))));
      ASSERT_EQ(check_schedule(trace, schedule_of(trace, race.witness), reads_of(race)), "")
          << "round " << round << "\n"
          << text_of(trace);
    }
    ASSERT_EQ(found.size(), predictions.found.size());
    ASSERT_EQ(found, racing_sites(model)) << "round " << round << "\n" << text_of(trace);
    ASSERT_EQ(predictions.left_out, "");
  }
}

TEST(RacePrediction, FindsEveryLocationThatHasARace) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 3000; ++round) {
    RandomTrace wanted = RandomTrace::anything(random);
    wanted.events = 10 + random() % 30;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    std::set<uint32_t> expected;
    for (EventIndex second = 0; second < model.size(); ++second) {
      for (EventIndex first = 0; first < second; ++first) {
        if (!is_sync_preserving_race(model, first, second)) continue;
        for (const TraceModel::Part& part : model.parts_of(first)) {
          for (const TraceModel::Part& other : model.parts_of(second)) {
            if (part.location == other.location && (part.bytes & other.bytes) != 0)
              expected.insert(part.location);
          }
        }
      }
    }
    const Predictions races = predict_races(model, {.one_per = RaceOptions::OnePer::kLocation});
    std::set<uint32_t> found;
    for (const Prediction& race : races.found) {
      ASSERT_TRUE(is_sync_preserving_race(model, static_cast<EventIndex>(race.events[0]),
                                          static_cast<EventIndex>(race.events[1])));
      for (const TraceModel::Part& part : model.parts_of(static_cast<EventIndex>(race.events[0]))) {
        for (const TraceModel::Part& other : model.parts_of(static_cast<EventIndex>(race.events[1]))) {
          if (part.location == other.location && (part.bytes & other.bytes) != 0) found.insert(part.location);
        }
      }
    }
    ASSERT_EQ(found, expected) << "round " << round << "\n" << text_of(trace);
  }
}

}  // namespace
}  // namespace heddle
