// Every pattern, in a trace that shows it and in traces that nearly do.
#include "predict/patterns.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "predict/atomicity.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::TraceBuilder;
using Thread = TraceBuilder::Thread;
using Location = TraceBuilder::Location;

// Two threads that do the accesses of a pattern to an object with two fields, and nothing else. Sites are
// numbered from 1 in the order of the pattern.
class PatternScene {
 public:
  explicit PatternScene(const AccessPattern& pattern) : pattern_(pattern), main_(b_.main_thread()) {
    const Location object = main_.allocate(16);
    fields_[0] = object.part(0, 8);
    fields_[1] = object.part(8, 8);
  }

  void do_step(Thread& thread, size_t i) {
    const PatternStep& step = pattern_.steps[i];
    if (step.writes)
      thread.write(fields_[step.location]);
    else
      thread.read(fields_[step.location]);
    thread.at(i + 1);
  }
  // All steps of u, or of u'.
  void do_steps(Thread& thread, bool of_other) {
    for (size_t i = 0; i < pattern_.length; ++i)
      if (pattern_.steps[i].is_other == of_other) do_step(thread, i);
  }

  const AccessPattern& pattern_;
  TraceBuilder b_;
  Thread main_;
  Location fields_[2];
};

struct Found {
  uint32_t pattern;
  std::vector<uint64_t> sites;  // as numbered by at()
  bool operator==(const Found&) const = default;
};

std::vector<Found> predicted(const trace::Trace& trace, const AtomicityOptions& options = {}) {
  const TraceModel model(trace);
  std::vector<Found> found;
  for (const AtomicityPrediction& one : predict_atomicity(model, options).predictions) {
    Found entry{one.prediction.pattern, {}};
    for (const uint64_t event : one.prediction.events)
      entry.sites.push_back(trace.sites()[trace.events()[event].site].offset);
    found.push_back(entry);
  }
  return found;
}

Found itself(const AccessPattern& pattern) {
  Found found{pattern.number, {}};
  for (uint64_t i = 1; i <= pattern.length; ++i) found.sites.push_back(i);
  return found;
}

class EveryPattern : public testing::TestWithParam<uint32_t> {
 protected:
  const AccessPattern& pattern() const { return access_pattern(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Patterns, EveryPattern, testing::Range(1u, 15u));

TEST_P(EveryPattern, IsPredictedFromSerialExecutions) {
  for (const bool other_first : {false, true}) {
    PatternScene scene(pattern());
    Thread u = scene.main_.fork();
    Thread v = scene.main_.fork();
    scene.do_steps(other_first ? v : u, other_first);
    scene.do_steps(other_first ? u : v, !other_first);
    const std::vector<Found> found = predicted(scene.b_.build());
    EXPECT_TRUE(std::ranges::count(found, itself(pattern())) == 1) << "other first: " << other_first;
  }
}

TEST_P(EveryPattern, IsFoundWhereItHappened) {
  PatternScene scene(pattern());
  Thread threads[2] = {scene.main_.fork(), scene.main_.fork()};
  for (size_t i = 0; i < pattern().length; ++i) scene.do_step(threads[pattern().steps[i].is_other], i);
  const std::vector<Found> found = predicted(scene.b_.build());
  EXPECT_TRUE(std::ranges::count(found, itself(pattern())) == 1);
}

// What a pattern around or across another one says of the same two units, from the other side.
TEST_P(EveryPattern, IsWhatTheseUnitsCanDo) {
  static const std::map<uint32_t, std::vector<uint32_t>> kExpected = {{1, {1}},
                                                                      {2, {2}},
                                                                      {3, {3}},
                                                                      {4, {4}},
                                                                      {5, {5}},
                                                                      {6, {6, 6}},
                                                                      {7, {7, 7, 8, 8}},
                                                                      {8, {7, 7, 8, 8}},
                                                                      {9, {9, 11}},
                                                                      {10, {10, 12, 13, 14}},
                                                                      {11, {9, 11}},
                                                                      {12, {10, 12, 13, 14}},
                                                                      {13, {10, 12, 13, 14}},
                                                                      {14, {10, 12, 13, 14}}};
  PatternScene scene(pattern());
  Thread u = scene.main_.fork();
  Thread v = scene.main_.fork();
  scene.do_steps(u, false);
  scene.do_steps(v, true);
  std::vector<uint32_t> numbers;
  for (const Found& found : predicted(scene.b_.build())) numbers.push_back(found.pattern);
  std::ranges::sort(numbers);
  EXPECT_EQ(numbers, kExpected.at(GetParam()));
}

TEST_P(EveryPattern, NeedsTwoThreads) {
  PatternScene scene(pattern());
  Thread u = scene.main_.fork();
  for (size_t i = 0; i < pattern().length; ++i) scene.do_step(u, i);
  EXPECT_TRUE(predicted(scene.b_.build()).empty());
}

TEST_P(EveryPattern, IsImpossibleForThreadsThatAreOrdered) {
  for (const bool other_first : {false, true}) {
    PatternScene scene(pattern());
    Thread first = scene.main_.fork();
    scene.do_steps(first, other_first);
    scene.main_.join(first);
    Thread second = scene.main_.fork();
    scene.do_steps(second, !other_first);
    EXPECT_TRUE(predicted(scene.b_.build()).empty());
  }
}

TEST_P(EveryPattern, IsImpossibleUnderOneLock) {
  PatternScene scene(pattern());
  const Location mutex = scene.b_.global();
  for (const bool of_other : {false, true}) {
    Thread thread = scene.main_.fork();
    thread.lock(mutex);
    scene.do_steps(thread, of_other);
    thread.unlock(mutex);
  }
  EXPECT_TRUE(predicted(scene.b_.build()).empty());
}

TEST_P(EveryPattern, IsPossibleUnderTwoLocks) {
  PatternScene scene(pattern());
  for (const bool of_other : {false, true}) {
    const Location mutex = scene.b_.global();
    Thread thread = scene.main_.fork();
    thread.lock(mutex);
    scene.do_steps(thread, of_other);
    thread.unlock(mutex);
  }
  EXPECT_TRUE(std::ranges::count(predicted(scene.b_.build()), itself(pattern())) == 1);
}

// Of accesses to one location only one set can be meant; so u' goes elsewhere as a whole.
TEST_P(EveryPattern, NeedsOneAtomicSet) {
  PatternScene scene(pattern());
  const Location elsewhere = scene.main_.allocate(16);
  Thread u = scene.main_.fork();
  Thread v = scene.main_.fork();
  if (pattern().length == 4) {
    scene.fields_[1] = elsewhere.part(0, 8);
    scene.do_steps(u, false);
  } else {
    scene.do_steps(u, false);
    scene.fields_[0] = elsewhere.part(0, 8);
  }
  scene.do_steps(v, true);
  EXPECT_TRUE(predicted(scene.b_.build()).empty());
}

TEST_P(EveryPattern, NeedsOneUnitOfWork) {
  PatternScene scene(pattern());
  for (const bool of_other : {false, true}) {
    Thread thread = scene.main_.fork();
    for (size_t i = 0; i < pattern().length; ++i) {
      if (pattern().steps[i].is_other != of_other) continue;
      thread.call(100);
      scene.do_step(thread, i);
      thread.leave();
      thread.event(trace::EventKind::kYield).at(200);
    }
  }
  EXPECT_TRUE(predicted(scene.b_.build()).empty());
}

TEST_P(EveryPattern, HasASentenceThatNamesBothThreads) {
  const std::string sentence = pattern_sentence(GetParam(), "main/1", "main/2");
  EXPECT_NE(sentence.find("main/1"), std::string::npos);
  EXPECT_NE(sentence.find("main/2"), std::string::npos);
  EXPECT_EQ(sentence.find('{'), std::string::npos);
  EXPECT_EQ(find_pattern(pattern().accesses()), &pattern());
}

TEST(Patterns, AreWrittenAsInThePapers) {
  EXPECT_EQ(pattern_text(access_pattern(1)), "Ru(l) Wu'(l) Wu(l)");
  EXPECT_EQ(pattern_text(access_pattern(8)), "Wu(l1) Wu'(l2) Wu(l2) Wu'(l1)");
  EXPECT_EQ(pattern_text(access_pattern(14)), "Wu(l1) Ru'(l2) Wu(l2) Ru'(l1)");
}

}  // namespace
}  // namespace heddle
