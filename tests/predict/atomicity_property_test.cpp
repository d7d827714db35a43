// Predictions of atomicity violations against brute force, on random small traces.
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "predict/accesses.h"
#include "predict/atomicity.h"
#include "predict/patterns.h"
#include "predict/units.h"
#include "random_trace.h"
#include "reorderings.h"

namespace heddle {
namespace {

// All variables of a module are one, so that patterns over two locations occur.
class OneVariable : public Variables {
 public:
  std::optional<Extent> variable_at(uint32_t, uint64_t) const override { return Extent{0, 1024}; }
};

AtomicityOptions everything(const Variables& variables, UnitRule::Kind units) {
  AtomicityOptions options;
  options.units.kind = units;
  options.variables = &variables;
  options.atomic_reads = true;
  return options;
}

std::string text_of(const trace::Trace& trace) {
  std::string text;
  for (const trace::EventRecord& event : trace.events())
    text += std::to_string(event.thread) + ":" + std::to_string(static_cast<int>(event.kind)) + "(" +
            std::to_string(event.object) + "+" + std::to_string(event.offset) + ") ";
  return text;
}

// The pairs of threads of which one can come between two accesses of the other to one location, in a way that
// is a pattern.
std::set<std::set<uint32_t>> unserializable_threads(const trace::Trace& trace,
                                                    const Reorderings& reorderings) {
  const auto is_access = [](const trace::EventRecord& e) {
    return e.kind == trace::EventKind::kRead || e.kind == trace::EventKind::kWrite;
  };
  std::set<std::set<uint32_t>> result;
  const std::span<const trace::EventRecord> e = trace.events();
  for (uint64_t a = 0; a < e.size(); ++a) {
    for (uint64_t b = a + 1; b < e.size(); ++b) {
      if (!is_access(e[a]) || !is_access(e[b]) || e[a].thread != e[b].thread || e[a].offset != e[b].offset)
        continue;
      for (uint64_t c = 0; c < e.size(); ++c) {
        if (!is_access(e[c]) || e[c].thread == e[a].thread || e[c].offset != e[a].offset) continue;
        const std::array steps{PatternStep{false, e[a].kind == trace::EventKind::kWrite, 0},
                               PatternStep{true, e[c].kind == trace::EventKind::kWrite, 0},
                               PatternStep{false, e[b].kind == trace::EventKind::kWrite, 0}};
        const std::set<uint32_t> threads{e[a].thread, e[c].thread};
        if (find_pattern(steps) != nullptr && !result.contains(threads) &&
            reorderings.can_execute({a, c, b}, {a, b, c}))
          result.insert(threads);
      }
    }
  }
  return result;
}

// The schedule of each prediction is a correct reordering that shows its accesses in their order.
void expect_witnesses(const trace::Trace& trace, const AtomicityReport& report) {
  for (const AtomicityPrediction& one : report.predictions) {
    const std::vector<uint64_t>& order = one.prediction.events;
    const std::set<uint64_t> exempt(order.begin(), order.end());
    const std::vector<uint64_t> schedule = schedule_of(trace, one.prediction.witness);
    // If no assumption is made, only the last access of each thread may read something else.
    std::set<uint64_t> may_differ = exempt;
    if (!one.prediction.assumes_same_path) {
      may_differ.clear();
      for (const uint64_t event : exempt) {
        const bool goes_on = std::any_of(
            std::find(schedule.begin(), schedule.end(), event) + 1, schedule.end(),
            [&](uint64_t later) { return trace.events()[later].thread == trace.events()[event].thread; });
        if (!goes_on) may_differ.insert(event);
      }
    }
    ASSERT_EQ(check_schedule(trace, schedule, may_differ), "")
        << "pattern " << one.prediction.pattern << ": " << text_of(trace);
    std::vector<uint64_t> shown;
    for (const uint64_t event : schedule)
      if (exempt.contains(event)) shown.push_back(event);
    ASSERT_EQ(shown, order);
  }
}

TEST(AtomicityPredictions, AreCorrectReorderings) {
  const OneVariable variables;
  std::mt19937_64 random(1);
  uint64_t predictions = 0;
  uint64_t certain = 0;
  std::set<uint32_t> patterns;
  for (int round = 0; round < 6000; ++round) {
    const trace::Trace trace = RandomTrace::anything(random).make(random);
    const TraceModel model(trace);
    for (const auto kind : {UnitRule::Kind::kThread, UnitRule::Kind::kLock}) {
      const AtomicityReport report = predict_atomicity(model, everything(variables, kind));
      ASSERT_NO_FATAL_FAILURE(expect_witnesses(trace, report)) << "round " << round;
      for (const AtomicityPrediction& one : report.predictions) {
        if (predictions++ % 16 == 0) {
          const std::vector<uint64_t>& order = one.prediction.events;
          ASSERT_TRUE(
              Reorderings(trace, Reordering::kCorrect).can_execute(order, {order.begin(), order.end()}));
        }
        certain += !one.prediction.assumes_same_path;
        patterns.insert(one.prediction.pattern);
      }
    }
  }
  EXPECT_GT(predictions, 5000u);
  EXPECT_GT(certain, predictions / 4);
  EXPECT_EQ(patterns.size(), 15u);  // all fourteen, and what none describes
}

// Most of a longer trace is in the cut.
TEST(AtomicityPredictions, OfLongerTracesAreCorrectReorderings) {
  const OneVariable variables;
  std::mt19937_64 random(3);
  uint64_t predictions = 0;
  for (int round = 0; round < 60; ++round) {
    RandomTrace shape = RandomTrace::anything(random);
    shape.threads = 2 + random() % 5;
    shape.events = 150;
    shape.variables = 8;
    const trace::Trace trace = shape.make(random);
    if (trace.events().size() >= 255) continue;
    const AtomicityReport report =
        predict_atomicity(TraceModel(trace), everything(variables, UnitRule::Kind::kLock));
    ASSERT_NO_FATAL_FAILURE(expect_witnesses(trace, report)) << "round " << round;
    predictions += report.predictions.size();
  }
  EXPECT_GT(predictions, 500u);
}

// Two units that some correct reordering shows in a pattern are in a prediction. Not always: the cut keeps
// the order of critical sections, and only two threads are in the tail.
TEST(AtomicityPredictions, MissFewPairsOfUnits) {
  const OneVariable variables;
  const SourceFrames frames;
  std::mt19937_64 random(2);
  uint64_t possible = 0;
  uint64_t predicted = 0;
  for (uint32_t round = 0; round < 3000; ++round) {
    const RandomTrace shape{.threads = 2 + round % 2, .events = 10};
    const trace::Trace trace = shape.make(random);
    const TraceModel model(trace);
    std::set<std::set<uint32_t>> found;
    for (const AtomicityPrediction& one :
         predict_atomicity(model, everything(variables, UnitRule::Kind::kThread)).predictions) {
      found.insert({model.thread_of(static_cast<EventIndex>(one.prediction.events[0])),
                    model.thread_of(static_cast<EventIndex>(one.prediction.events[1]))});
    }
    const Reorderings reorderings(trace, Reordering::kCorrect);
    for (const std::set<uint32_t>& threads : unserializable_threads(trace, reorderings)) {
      ++possible;
      predicted += found.contains(threads);
    }
  }
  EXPECT_GT(possible, 2000u);
  EXPECT_GE(predicted * 100, possible * 98);
}

}  // namespace
}  // namespace heddle
