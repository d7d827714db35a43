#include "explore/surw_search.h"

#include <gtest/gtest.h>

#include "observations.h"

namespace heddle {
namespace {

using trace::EventKind;
using Numbers = std::vector<uint64_t>;

// Main (0) creates 1, which creates 2. Statements 10 and 11 share object 1, statement 12 is alone on
// object 2.
Observation family() {
  return HandMade()
      .step(0, EventKind::kFork, 0, 1, /*peer=*/1)
      .step(1, EventKind::kWrite, 1, 10)
      .step(1, EventKind::kFork, 0, 2, /*peer=*/2)
      .step(1, EventKind::kWrite, 1, 10)
      .step(2, EventKind::kRead, 1, 11)
      .step(2, EventKind::kWrite, 2, 12)
      .step(2, EventKind::kRead, 1, 11)
      .step(2, EventKind::kRead, 1, 11)
      .seen;
}

TEST(SurwSearch, WalksRandomlyUntilItKnowsSomething) {
  SurwSearch surw(7);
  const Plan plan = *surw.next();
  EXPECT_EQ(plan.then, (trace::PolicySpec{.kind = trace::PolicyKind::kSurw, .seed = 7}));
  EXPECT_TRUE(plan.guidance.statements.empty());
  EXPECT_EQ(surw.detail(), Detail::kEvents);
}

TEST(SurwSearch, ExpectsOfAThreadWhatThoseWillDoThatItCreates) {
  SurwSearch surw(1);
  surw.next();
  surw.learn(family());
  EXPECT_EQ(surw.coverage(), 1u);
  const Plan plan = *surw.next();
  EXPECT_EQ(plan.guidance.statements, (Numbers{10, 11}));
  EXPECT_EQ(plan.guidance.estimates, (Numbers{5, 5, 3}));
}

// Of five locations one is preferred, and of the other draws some find it as well.
TEST(SurwSearch, DrawsMostlyWhatIsPreferred) {
  HandMade made;
  for (uint32_t object = 1; object <= 5; ++object)
    for (uint32_t thread = 0; thread < 2; ++thread) made.step(thread, EventKind::kWrite, object, 10 + object);
  for (ObservedStep& step : made.seen.steps)
    for (Operation& operation : step.operations) operation.is_preferred = operation.place == 13;
  SurwSearch surw(1);
  surw.learn(made.seen);
  int preferred = 0;
  for (int i = 0; i < 1000; ++i) preferred += surw.next()->guidance.statements == Numbers{13} ? 1 : 0;
  EXPECT_GT(preferred, 700);
  EXPECT_LT(preferred, 900);
}

TEST(SurwSearch, ExpectsNoMoreThanTheLeastThatItHasSeen) {
  SurwSearch surw(1);
  surw.learn(family());
  Observation longer = family();
  for (int i = 0; i < 100; ++i) longer.steps.push_back(longer.steps.back());
  surw.learn(longer);
  EXPECT_EQ(surw.next()->guidance.estimates, (Numbers{5, 5, 3}));
  // An execution that failed may have ended early.
  Observation shorter = family();
  shorter.steps.pop_back();
  shorter.outcome = trace::OutcomeKind::kDeadlock;
  surw.learn(shorter);
  EXPECT_EQ(surw.next()->guidance.estimates, (Numbers{5, 5, 3}));
  shorter.outcome = trace::OutcomeKind::kOk;
  surw.learn(shorter);
  EXPECT_EQ(surw.next()->guidance.estimates, (Numbers{4, 4, 2}));
}

TEST(SurwSearch, ReadsAndUnlocksShareNothing) {
  SurwSearch surw(1);
  surw.learn(HandMade()
                 .step(0, EventKind::kRead, 1, 10)
                 .step(1, EventKind::kRead, 1, 11)
                 .step(0, EventKind::kUnlock, 2, 12)
                 .step(1, EventKind::kUnlock, 2, 12)
                 .seen);
  EXPECT_EQ(surw.coverage(), 0u);
}

TEST(SurwSearch, DrawsOneLocationOrAll) {
  SurwSearch surw(1);
  surw.learn(HandMade()
                 .step(0, EventKind::kWrite, 1, 10)
                 .step(1, EventKind::kWrite, 1, 11)
                 .step(0, EventKind::kLock, 2, 12)
                 .step(1, EventKind::kLock, 2, 12)
                 .seen);
  std::set<Numbers> drawn;
  for (int i = 0; i < 50; ++i) drawn.insert(surw.next()->guidance.statements);
  EXPECT_EQ(drawn, (std::set<Numbers>{{10, 11}, {12}, {10, 11, 12}}));
}

TEST(SurwSearch, RecordsFewExecutions) {
  SurwSearch surw(1);
  int recorded = 0;
  for (int i = 0; i < 320; ++i) {
    surw.next();
    const bool records = surw.detail() == Detail::kEvents;
    recorded += records ? 1 : 0;
    surw.learn(records ? family() : Observation{});
  }
  EXPECT_EQ(recorded, 12);
}

}  // namespace
}  // namespace heddle
