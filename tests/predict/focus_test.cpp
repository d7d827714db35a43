// Predictions about chosen events are those of all that have one of these, and take less.
#include "predict/focus.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "predict/atomicity.h"
#include "predict/deadlock_prediction.h"
#include "predict/race_prediction.h"
#include "random_trace.h"
#include "reorderings.h"
#include "trace/trace_builder.h"
#include "trace_text.h"

namespace heddle {
namespace {

using trace::Trace;
using trace::TraceBuilder;

using Events = std::vector<uint64_t>;

Focus random_focus(const Trace& trace, std::mt19937_64& random) {
  Events chosen;
  for (uint64_t event = 0; event < trace.events().size(); ++event)
    if (random() % 8 == 0) chosen.push_back(event);
  return {trace.events().size(), chosen};
}

bool has_one_of(const Focus& focus, const Events& events) {
  return std::any_of(events.begin(), events.end(), [&](uint64_t event) { return focus.includes(event); });
}

std::set<Events> all_of(const std::vector<Prediction>& predictions) {
  std::set<Events> all;
  for (const Prediction& prediction : predictions) all.insert(prediction.events);
  return all;
}

std::set<Events> about(const Focus& focus, const std::set<Events>& all) {
  std::set<Events> chosen;
  for (const Events& events : all)
    if (has_one_of(focus, events)) chosen.insert(events);
  return chosen;
}

// How much was asked about, in all rounds together.
struct Effort {
  uint64_t full = 0;
  uint64_t focused = 0;
  uint64_t found = 0;

  void expect_less() const {
    EXPECT_GT(found, 300U);
    EXPECT_LT(focused * 2, full);
  }
};

TEST(Focus, OfNothingSaidIsOnEveryEvent) {
  EXPECT_TRUE(Focus().is_everything());
  EXPECT_TRUE(Focus().includes(1000));
  const Focus focus(3, Events{1});
  EXPECT_FALSE(focus.is_everything());
  EXPECT_TRUE(focus.includes(1));
  EXPECT_FALSE(focus.includes(0) || focus.includes(2));
}

TEST(Focus, RacesAreThoseOfAllWithAChosenAccess) {
  std::mt19937_64 random(1);
  Effort effort;
  for (int round = 0; round < 4000; ++round) {
    RandomTrace wanted = RandomTrace::anything(random);
    wanted.events = 10 + random() % 30;
    wanted.sites = 0;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    const Focus focus = random_focus(trace, random);
    const auto forget_every = static_cast<uint32_t>(1 + random() % 8);
    const Predictions full = predict_races(model, {.forget_every = forget_every});
    const Predictions focused = predict_races(model, {.focus = focus, .forget_every = forget_every});
    ASSERT_EQ(all_of(focused.found), about(focus, all_of(full.found))) << "round " << round << "\n"
                                                                       << text_of(trace);
    ASSERT_LE(focused.explored, full.explored);
    effort.full += full.explored;
    effort.focused += focused.explored;
    effort.found += focused.found.size();
  }
  effort.expect_less();
}

TEST(Focus, RacesOfChosenAccessesOnlyAreThoseOfAllWithTwo) {
  std::mt19937_64 random(7);
  uint64_t found = 0;
  uint64_t with_one = 0;
  for (int round = 0; round < 4000; ++round) {
    RandomTrace wanted = RandomTrace::anything(random);
    wanted.events = 10 + random() % 30;
    wanted.sites = 0;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    Events chosen;
    for (uint64_t event = 0; event < trace.events().size(); ++event)
      if (random() % 2 == 0) chosen.push_back(event);
    const Focus focus(trace.events().size(), chosen);
    const auto forget_every = static_cast<uint32_t>(1 + random() % 8);
    std::set<Events> expected = all_of(predict_races(model, {.forget_every = forget_every}).found);
    std::erase_if(expected, [&](const Events& events) {
      const auto is_chosen = [&](uint64_t event) { return focus.includes(event); };
      return !std::all_of(events.begin(), events.end(), is_chosen);
    });
    const RaceOptions options{.focus = focus, .only_focus = true, .forget_every = forget_every};
    ASSERT_EQ(all_of(predict_races(model, options).found), expected) << "round " << round << "\n"
                                                                     << text_of(trace);
    found += expected.size();
    with_one += predict_races(model, {.focus = focus}).found.size();
  }
  EXPECT_GT(found, 300U);
  EXPECT_LT(found, with_one);
}

// One race is told of two sites: it must be one with a chosen access, if there is such a race.
TEST(Focus, RacesOfSitesThatHaveOthersAsWellAreFound) {
  std::mt19937_64 random(2);
  uint64_t races = 0;
  for (int round = 0; round < 3000; ++round) {
    RandomTrace wanted = RandomTrace::anything(random);
    wanted.events = 10 + random() % 30;
    wanted.sites = 1 + random() % 6;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    const Focus focus = random_focus(trace, random);
    using Sites = std::set<std::pair<uint32_t, uint32_t>>;
    Sites expected;
    for (EventIndex second = 0; second < model.size(); ++second) {
      for (EventIndex first = 0; first < second; ++first) {
        if (has_one_of(focus, {first, second}) && is_sync_preserving_race(model, first, second))
          expected.insert(std::minmax(model.site_of(first), model.site_of(second)));
      }
    }
    Sites found;
    for (const Prediction& race : predict_races(model, {.focus = focus}).found) {
      ASSERT_TRUE(has_one_of(focus, race.events));
      found.insert(std::minmax(model.site_of(static_cast<EventIndex>(race.events[0])),
                               model.site_of(static_cast<EventIndex>(race.events[1]))));
    }
    ASSERT_EQ(found, expected) << "round " << round << "\n" << text_of(trace);
    races += found.size();
  }
  EXPECT_GT(races, 1000U);
}

class OneVariable : public Variables {
 public:
  std::optional<Extent> variable_at(uint32_t, uint64_t) const override { return Extent{0, 1024}; }
};

struct Patterns {
  std::set<Events> named;
  std::set<Events> unnamed;  // not serializable, and no pattern describes it
};

Patterns patterns_of(const AtomicityReport& report) {
  Patterns patterns;
  for (const AtomicityPrediction& one : report.predictions)
    (one.prediction.pattern != 0 ? patterns.named : patterns.unnamed).insert(one.prediction.events);
  return patterns;
}

// Of what no pattern describes, one prediction is made of each two accesses in conflict.
bool is_spoken_for(const Events& events, const Patterns& found) {
  const auto shares_conflict = [&](const Events& other) {
    return std::ranges::count_if(
               other, [&](uint64_t event) { return std::ranges::find(events, event) != events.end(); }) >= 2;
  };
  return std::ranges::any_of(found.named, shares_conflict) ||
         std::ranges::any_of(found.unnamed, shares_conflict);
}

TEST(Focus, PatternsAreThoseOfAllWithAChosenAccess) {
  const OneVariable variables;
  std::mt19937_64 random(4);
  Effort effort;
  uint64_t wide = 0;
  for (int round = 0; round < 3000; ++round) {
    RandomTrace wanted = RandomTrace::anything(random);
    wanted.events = 10 + random() % 20;
    wanted.sites = 0;
    const Trace trace = wanted.make(random);
    const TraceModel model(trace);
    AtomicityOptions options;
    options.units.kind = random() % 2 == 0 ? UnitRule::Kind::kThread : UnitRule::Kind::kLock;
    options.variables = &variables;
    options.atomic_reads = random() % 2 == 0;
    options.reads_may_differ = random() % 2 == 0;
    const AtomicityReport full = predict_atomicity(model, options);
    options.focus = random_focus(trace, random);
    const AtomicityReport focused = predict_atomicity(model, options);
    const Patterns found = patterns_of(focused);
    const Patterns all = patterns_of(full);
    ASSERT_EQ(found.named, about(options.focus, all.named)) << "round " << round << "\n" << text_of(trace);
    ASSERT_EQ(about(options.focus, found.unnamed), found.unnamed);
    for (const Events& events : about(options.focus, all.unnamed))
      ASSERT_TRUE(is_spoken_for(events, found)) << "round " << round << "\n" << text_of(trace);
    ASSERT_LE(focused.explored, full.explored);
    effort.full += full.explored;
    effort.focused += focused.explored;
    effort.found += found.named.size();
    for (const Events& events : found.named) wide += events.size() == 4;
  }
  effort.expect_less();
  EXPECT_GT(wide, 100U);
}

// Two threads that write the same two variables without any lock, one of them in the middle of many others.
struct ManyWrites {
  TraceBuilder b;
  TraceBuilder::Thread main = b.main_thread();
  TraceBuilder::Thread child = main.fork();
  std::vector<TraceBuilder::Location> variables;

  explicit ManyWrites(int count) {
    for (int i = 0; i < count; ++i) variables.push_back(b.global());
    for (const TraceBuilder::Location& variable : variables) main.write(variable);
    for (const TraceBuilder::Location& variable : variables) child.write(variable);
  }
};

TEST(Focus, OnOneAccessAsksAboutItsVariableOnly) {
  const ManyWrites writes(100);
  TraceBuilder b = writes.b;
  const Trace trace = b.build();
  const TraceModel model(trace);
  const Events chosen{10};
  const Predictions races = predict_races(model, {.focus = Focus(trace.events().size(), chosen)});
  ASSERT_EQ(races.found.size(), 1U);
  EXPECT_EQ(races.found[0].events[0], 10U);
  EXPECT_EQ(races.explored, 1U);
  EXPECT_EQ(predict_races(model).explored, 100U);
}

TEST(Focus, OnNothingPredictsNothing) {
  const ManyWrites writes(10);
  TraceBuilder b = writes.b;
  const Trace trace = b.build();
  const TraceModel model(trace);
  const Focus nothing(trace.events().size(), {});
  EXPECT_TRUE(predict_races(model, {.focus = nothing}).found.empty());
  EXPECT_EQ(predict_races(model, {.focus = nothing}).explored, 0U);
  EXPECT_EQ(predict_deadlocks(model, {.focus = nothing}).explored, 0U);
  EXPECT_EQ(predict_atomicity(model, {.focus = nothing}).explored, 0U);
}

// The first acquisition of a kind is not in focus, and the second one is.
TEST(Focus, OnALaterOneOfEqualAcquisitionsFindsItsDeadlock) {
  TraceBuilder b;
  const auto a = b.global(), c = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  const auto first = b.tables().events.size();
  main.lock(a).lock(c).unlock(c).unlock(a);
  main.lock(a).lock(c).unlock(c).unlock(a);
  child.lock(c).lock(a).unlock(a).unlock(c);
  const Trace trace = b.build();
  const TraceModel model(trace);
  const Events second{first + 5};
  const Predictions deadlocks = predict_deadlocks(model, {.focus = Focus(trace.events().size(), second)});
  ASSERT_EQ(deadlocks.found.size(), 1U);
  EXPECT_TRUE(std::ranges::count(deadlocks.found[0].events, first + 5) == 1);
  const Events outer{first};  // nobody waits there
  EXPECT_TRUE(predict_deadlocks(model, {.focus = Focus(trace.events().size(), outer)}).found.empty());
}

}  // namespace
}  // namespace heddle
