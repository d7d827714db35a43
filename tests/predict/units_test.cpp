// Which accesses make a unit of work, and which locations an atomic set.
#include "predict/units.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::TraceBuilder;
using Thread = TraceBuilder::Thread;
using Location = TraceBuilder::Location;

// An object that main uses as well, so that it is shared, and a thread to write the example for.
struct UnitScene {
  TraceBuilder b;
  Thread main = b.main_thread();
  Location object = main.allocate(16);
  Location x = object.part(0, 8);
  Location y = object.part(8, 8);
  Location mutex = b.global();
  Thread thread = main.fork();
};

// The units of the accesses of thread 1 to the only set, from 0 in the order of their beginning.
std::vector<uint32_t> units_of(UnitScene& scene, UnitRule rule = {}, const SourceFrames& frames = {}) {
  scene.main.write(scene.object);
  const trace::Trace trace = scene.b.build();
  const TraceModel model(trace);
  const Variables variables;
  Accesses accesses(model, variables, frames);
  EXPECT_EQ(accesses.sets(), 1u);
  Units(accesses, rule).assign(accesses.of_set(0));
  std::vector<uint32_t> units;
  for (const Access& access : accesses.of_set(0))
    if (access.thread == 1) units.push_back(access.unit);
  return units;
}

using List = std::vector<uint32_t>;

TEST(UnitsOfWork, AreActivationsOfTheOutermostFunctionThatAccessesTheObject) {
  UnitScene s;
  s.thread.call(1).read(s.x).call(2).write(s.y).leave().write(s.x).leave();
  s.thread.call(3).read(s.x).leave();
  EXPECT_EQ(units_of(s), (List{0, 0, 0, 1}));
}

TEST(UnitsOfWork, AreNotThoseOfCallersThatDoNotAccessTheObject) {
  UnitScene s;
  s.thread.call(1);
  s.thread.call(2).read(s.x).leave();
  s.thread.call(3).write(s.x).leave();
  s.thread.leave();
  EXPECT_EQ(units_of(s), (List{0, 1}));
}

TEST(UnitsOfWork, CanBeFurtherOut) {
  UnitScene s;
  s.thread.call(1);
  s.thread.call(2).read(s.x).leave();
  s.thread.call(3).write(s.x).leave();
  s.thread.leave();
  s.thread.call(4).write(s.y).leave();
  EXPECT_EQ(units_of(s, {UnitRule::Kind::kFunction, 1}), (List{0, 0, 1}));
}

// Whoever counts references to an object is not at work on it.
TEST(UnitsOfWork, AreNotThoseOfCallersThatOnlyCount) {
  UnitScene s;
  s.thread.call(1).atomic_update(s.y).at(1);
  s.thread.call(2).read(s.x).leave();
  s.thread.call(3).write(s.x).leave();
  s.thread.atomic_update(s.y).at(2).leave();
  EXPECT_EQ(units_of(s), (List{0, 1, 2, 3}));
}

// A loop that calls a function is in no event of the trace: the function is seen to begin again.
TEST(UnitsOfWork, EndWhenTheFunctionBeginsAgain) {
  UnitScene s;
  for (int i = 0; i < 3; ++i) s.thread.call(1).read(s.x).at(10).write(s.x).at(11).leave();
  EXPECT_EQ(units_of(s), (List{0, 0, 1, 1, 2, 2}));
}

TEST(UnitsOfWork, EndWhenTheFunctionCallsAgainWhatItCalledFirst) {
  UnitScene s;
  for (int i = 0; i < 2; ++i) {
    s.thread.call(1);
    s.thread.call(2).lock(s.mutex).at(10).leave();
    s.thread.read(s.x).at(11).write(s.x).at(12);
    s.thread.call(3).unlock(s.mutex).at(13).leave();
    s.thread.leave();
  }
  EXPECT_EQ(units_of(s), (List{0, 0, 1, 1}));
}

TEST(UnitsOfWork, GoOnInALoopUnderALockTheyHaveTaken) {
  UnitScene s;
  s.thread.call(1).read(s.y).at(9).lock(s.mutex).at(8);
  for (int i = 0; i < 2; ++i) s.thread.read(s.x).at(10).write(s.x).at(11);
  s.thread.read(s.y).at(9).unlock(s.mutex).leave();
  EXPECT_EQ(units_of(s), (List{0, 0, 0, 0, 0, 0}));
}

TEST(UnitsOfWork, EndWhereTheThreadHandsOver) {
  UnitScene s;
  const Location condition = s.b.global();
  s.thread.call(1).lock(s.mutex).write(s.x).cond_wait(condition, s.mutex);
  s.main.notify_one(condition);
  s.thread.cond_wake(condition, s.mutex, s.main).read(s.x);
  Thread child = s.thread.fork();
  s.thread.write(s.y).join(child).read(s.y).unlock(s.mutex).leave();
  EXPECT_EQ(units_of(s), (List{0, 1, 2, 3}));
}

TEST(UnitsOfWork, WithoutContextsAreLockedRegions) {
  UnitScene s;
  s.thread.lock(s.mutex).read(s.x).write(s.x).unlock(s.mutex);
  s.thread.read(s.y).write(s.y);
  s.thread.lock(s.mutex).read(s.x).unlock(s.mutex);
  EXPECT_EQ(units_of(s), (List{0, 0, 1, 1, 2}));
}

TEST(UnitsOfWork, WithoutContextsAndLocksAreThreads) {
  UnitScene s;
  s.thread.read(s.x).lock(s.mutex).unlock(s.mutex).write(s.x);
  EXPECT_EQ(units_of(s), (List{0, 0}));
}

TEST(UnitsOfWork, CanBeLockedRegions) {
  UnitScene s;
  s.thread.call(1).lock(s.mutex).read(s.x).leave().call(2).write(s.x).unlock(s.mutex).read(s.x).leave();
  EXPECT_EQ(units_of(s, {UnitRule::Kind::kLock, 0}), (List{0, 0, 1}));
}

TEST(UnitsOfWork, CanBeThreads) {
  UnitScene s;
  s.thread.call(1).read(s.x).leave().call(2).write(s.x).leave();
  s.thread.fork();
  s.thread.read(s.x);
  EXPECT_EQ(units_of(s, {UnitRule::Kind::kThread, 0}), (List{0, 0, 0}));
}

// Sites 10 to 19 are in a call that was inlined, 20 to 29 in a function of a library that was.
class Inlined : public SourceFrames {
 public:
  explicit Inlined(TraceBuilder& b) {
    for (uint64_t n = 0; n < 30; ++n) number_[b.site(n)] = n;
  }
  std::vector<FrameAtSite> frames_at(uint32_t site) const override {
    std::vector<FrameAtSite> frames{FrameAtSite{}};
    const auto known = number_.find(site);
    if (known != number_.end() && known->second >= 10)
      frames.push_back({.id = known->second / 10, .is_system = known->second >= 20});
    return frames;
  }

 private:
  std::map<uint32_t, uint64_t> number_;
};

TEST(UnitsOfWork, CountInlinedCallsButNotThoseOfLibraries) {
  UnitScene s;
  const Inlined frames(s.b);
  s.thread.call(1).read(s.x).at(10).write(s.x).at(11);  // inlined: a unit of its own
  s.thread.lock(s.mutex).at(5).unlock(s.mutex).at(6);   // the caller goes on
  s.thread.read(s.x).at(12).write(s.x).at(13).leave();
  EXPECT_EQ(units_of(s, {}, frames), (List{0, 0, 1, 1}));
}

TEST(UnitsOfWork, TakeWhatALibraryDoesForItsCallers) {
  UnitScene s;
  const Inlined frames(s.b);
  s.thread.call(1).read(s.x).at(20).event(trace::EventKind::kYield).at(5).write(s.x).at(25).leave();
  EXPECT_EQ(units_of(s, {}, frames), (List{0, 0}));
}

TEST(UnitRules, AreRead) {
  using Kind = UnitRule::Kind;
  const std::map<std::string, std::pair<Kind, uint32_t>> rules = {{"function", {Kind::kFunction, 0}},
                                                                  {"call:2", {Kind::kFunction, 2}},
                                                                  {"lock", {Kind::kLock, 0}},
                                                                  {"thread", {Kind::kThread, 0}}};
  for (const auto& [text, rule] : rules) {
    const UnitRule read = parse_unit_rule(text).value();
    EXPECT_EQ(read.kind, rule.first) << text;
    EXPECT_EQ(read.callers, rule.second) << text;
  }
  for (const char* text : {"", "call", "call:", "call:-1", "call:1x", "Function"})
    EXPECT_FALSE(parse_unit_rule(text).has_value()) << text;
}

// Atomic sets.

class OneUnitVariable : public Variables {
 public:
  std::optional<Extent> variable_at(uint32_t, uint64_t offset) const override {
    if (offset >= 64) return {};
    return Extent{offset / 32 * 32, offset / 32 * 32 + 32};
  }
};

TEST(AtomicSetsOfATrace, AreObjectsAndVariables) {
  TraceBuilder b;
  Thread main = b.main_thread();
  const Location first = b.global(64);
  const Location second = b.global(8);
  const Location heap = main.allocate(64);
  const Location other = main.allocate(64);
  const Location large = main.allocate(1 << 20);
  const trace::Trace trace = b.build();
  const OneUnitVariable variables;
  AtomicSets sets(trace, variables);
  const auto set = [&](Location where, uint64_t at) { return sets.set_of(where.object, where.offset + at); };
  EXPECT_EQ(set(first, 0), set(first, 24));
  EXPECT_NE(set(first, 0), set(first, 32));
  EXPECT_NE(set(second, 0), set(second, 4));  // no variable is known there
  EXPECT_EQ(set(heap, 0), set(heap, 56));
  EXPECT_NE(set(heap, 0), set(other, 0));
  EXPECT_NE(set(large, 0), set(large, 8));
  EXPECT_EQ(sets.large_objects(), 1u);
  EXPECT_EQ(sets[set(heap, 0)].kind, SetKind::kObject);
  EXPECT_EQ(sets[set(first, 0)].kind, SetKind::kVariable);
  EXPECT_EQ(sets[set(large, 0)].kind, SetKind::kLocation);
}

// heddle_atomic_set() as the runtime records it.
void name_set(TraceBuilder& b, Thread& thread, const char* name, Location where, uint64_t site) {
  trace::ObjectRecord record{};
  record.kind = trace::ObjectKind::kAtomicSet;
  record.owner = b.tables().add_string(name);
  record.size = where.size;
  record.identity = where.object;
  const auto object = static_cast<uint32_t>(b.tables().objects.size());
  b.tables().objects.push_back(record);
  thread.event(trace::EventKind::kAtomicSet, {object, where.offset, where.size}, where.size).at(site);
}

TEST(AtomicSetsOfATrace, CanBeNamed) {
  TraceBuilder b;
  Thread main = b.main_thread();
  const Location first = main.allocate(32);
  const Location second = main.allocate(32);
  for (const Location& object : {first, second}) {
    name_set(b, main, "ends", object.part(0, 8), 1);
    name_set(b, main, "ends", object.part(24, 8), 2);
  }
  name_set(b, main, "both", first.part(8, 8), 3);
  name_set(b, main, "both", second.part(8, 8), 4);
  name_set(b, main, "late", first.part(4, 2), 5);
  const trace::Trace trace = b.build();
  const Variables variables;
  AtomicSets sets(trace, variables);
  const auto set = [&](Location where, uint64_t at) { return sets.set_of(where.object, where.offset + at); };
  // Split off, and joined within each object.
  EXPECT_EQ(set(first, 0), set(first, 24));
  EXPECT_NE(set(first, 0), set(first, 16));
  EXPECT_EQ(set(first, 16), set(first, 20));
  EXPECT_NE(set(first, 0), set(second, 0));
  EXPECT_EQ(sets[set(first, 0)].name, "ends");
  // Joined over objects.
  EXPECT_EQ(set(first, 8), set(second, 8));
  // What is named last counts.
  EXPECT_EQ(sets[set(first, 4)].name, "late");
  EXPECT_EQ(set(first, 3), set(first, 6));
  EXPECT_EQ(set(first, 3), set(first, 0));
}

TEST(LocationsOfATrace, AreWhatIsAccessedTogether) {
  TraceBuilder b;
  Thread main = b.main_thread();
  const Location object = main.allocate(32);
  Thread thread = main.fork();
  main.write(object.part(0, 4)).write(object.part(4, 4));                           // two fields
  main.write(object.part(8, 4)).write(object.part(12, 4)).read(object.part(8, 8));  // one, in halves
  thread.read(object).flag(trace::event_flag::kRange);                              // a copy of all
  const trace::Trace trace = b.build();
  const TraceModel model(trace);
  const Variables variables;
  const SourceFrames frames;
  Accesses accesses(model, variables, frames);
  ASSERT_EQ(accesses.sets(), 1u);
  std::vector<uint32_t> of_main;
  std::set<uint32_t> of_copy;
  for (const Access& access : accesses.of_set(0)) {
    if (access.thread == 0)
      of_main.push_back(access.location);
    else
      of_copy.insert(access.location);
  }
  ASSERT_EQ(of_main.size(), 5u);
  EXPECT_NE(of_main[0], of_main[1]);
  EXPECT_EQ(of_main[2], of_main[3]);
  EXPECT_EQ(of_main[2], of_main[4]);
  EXPECT_EQ(of_copy, (std::set<uint32_t>{of_main[0], of_main[1], of_main[2]}));
}

}  // namespace
}  // namespace heddle
