// Races that are reported as certain, against all reorderings of the same events.
#include <random>

#include "../predict/random_trace.h"
#include "../predict/reorderings.h"
#include "detecting.h"

namespace heddle::detect {
namespace {

using trace::Trace;

constexpr uint64_t kTraces = 8000;
constexpr DetectOptions kRaces{.lock_set = false, .hybrid = false, .lock_order = false};

RandomTrace shape_for(std::mt19937_64& random) {
  RandomTrace shape;
  shape.threads = 2 + random() % 3;
  shape.events = 8 + random() % 6;
  shape.forks = random() % 2 == 0;
  shape.readers = random() % 2 == 0;
  shape.parts = random() % 2 == 0;
  shape.open_sections = random() % 2 == 0;
  shape.nested = random() % 2 == 0;
  shape.lock_percent = random() % 60;
  return shape;
}

// SHB, OOPSLA 2018, theorem 3.3: not only the first race of a trace, but every one.
TEST(Realisable, EveryCertainRaceCanBeExecutedSideBySide) {
  std::mt19937_64 random(7);
  uint64_t checked = 0, uncertain = 0;
  for (uint64_t i = 0; i < kTraces; ++i) {
    RandomTrace shape = shape_for(random);
    shape.atomics = random() % 2 == 0;
    shape.semaphores = random() % 2 == 0;
    const Trace trace = shape.make(random);
    const Reorderings reorderings(trace, Reordering::kCorrect);
    for (const PairFinding& race : detect_all(trace, kRaces).races) {
      uncertain += race.certain ? 0 : 1;
      if (!race.certain) continue;
      ASSERT_TRUE(reorderings.can_race(race.first.event, race.second.event))
          << "trace " << i << ", events " << race.first.event << " and " << race.second.event;
      checked++;
    }
  }
  EXPECT_GT(checked, kTraces);
  EXPECT_GT(uncertain, kTraces / 20);
}

// Without atomics, whose values may carry what memory orders do not.
TEST(Realisable, TheFirstHappensBeforeRaceCanBeExecutedSideBySide) {
  std::mt19937_64 random(11);
  uint64_t checked = 0;
  for (uint64_t i = 0; i < kTraces; ++i) {
    const Trace trace = shape_for(random).make(random);
    const PairFinding* first = nullptr;
    const Detections found = detect_all(trace, kRaces);
    for (const PairFinding& race : found.races)
      if (first == nullptr || race.second.event < first->second.event) first = &race;
    if (first == nullptr) continue;
    ASSERT_TRUE(Reorderings(trace, Reordering::kCorrect).can_race(first->first.event, first->second.event))
        << "trace " << i << ", events " << first->first.event << " and " << first->second.event;
    checked++;
  }
  EXPECT_GT(checked, kTraces / 4);
}

}  // namespace
}  // namespace heddle::detect
