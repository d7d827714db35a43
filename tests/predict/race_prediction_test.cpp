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
    const Predictions predictions = predict_races(model);
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

}  // namespace
}  // namespace heddle
