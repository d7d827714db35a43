#include "confirm/directed_schedule.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::StepKind;
using trace::TraceBuilder;

// Every event of the trace as a step, as record_test() records them.
void add_choices(TraceBuilder& builder) {
  trace::TraceTables& tables = builder.tables();
  for (uint64_t i = 0; i < tables.events.size(); ++i) {
    tables.choices.push_back({.first_event = i,
                              .first_alternative = 0,
                              .alternatives = 1,
                              .thread = tables.events[i].thread,
                              .kind = StepKind::kRun,
                              .reserved = 0});
  }
}

std::vector<std::string> threads_of(const trace::Schedule& schedule) {
  std::vector<std::string> names;
  for (const trace::StepRecord& step : schedule.steps) {
    const size_t count = step.kind == StepKind::kRun ? step.count : 1;
    names.insert(names.end(), count, schedule.threads.name(step.thread));
  }
  return names;
}

TEST(DirectedSchedule, FollowsTheGivenOrder) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  auto one = main.fork();    // 0 fork, 1 begin
  auto other = main.fork();  // 2 fork, 3 begin
  one.write(x);              // 4
  other.write(x);            // 5
  add_choices(b);
  const trace::Trace trace = b.build();
  const std::vector<uint64_t> order = {0, 2, 3, 5, 1, 4};
  const DirectedSchedule made = ScheduleMaker(trace).make(order);
  EXPECT_EQ(threads_of(made.schedule),
            (std::vector<std::string>{"main", "main", "main/2", "main/2", "main/1", "main/1"}));
  EXPECT_EQ(made.choices, (std::vector<uint64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(DirectedSchedule, StepsWithoutEventsComeAlong) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  auto one = main.fork();  // 0, 1
  one.write(x);            // 2
  main.write(x);           // 3
  add_choices(b);
  // Before its write, main/1 makes a step that is not recorded.
  trace::ChoiceRecord silent = b.tables().choices[2];
  b.tables().choices.insert(b.tables().choices.begin() + 2, silent);
  const trace::Trace trace = b.build();
  const std::vector<uint64_t> order = {0, 3, 1, 2};
  const DirectedSchedule made = ScheduleMaker(trace).make(order);
  EXPECT_EQ(threads_of(made.schedule),
            (std::vector<std::string>{"main", "main", "main/1", "main/1", "main/1"}));
  EXPECT_EQ(made.choices.back(), 4u);
}

TEST(DirectedSchedule, WhomANotifyWakesBelongsToIt) {
  TraceBuilder b;
  const auto condition = b.global();
  auto main = b.main_thread();
  auto one = main.fork();                                  // 0, 1
  main.event(trace::EventKind::kNotifyOne, condition, 1);  // 2
  one.event(trace::EventKind::kYield);                     // 3
  add_choices(b);
  trace::ChoiceRecord wake = b.tables().choices[2];
  wake.kind = StepKind::kWake;
  wake.thread = one.index();
  wake.first_event = 3;
  b.tables().choices.insert(b.tables().choices.begin() + 3, wake);
  const trace::Trace trace = b.build();
  const std::vector<uint64_t> order = {0, 1, 2, 3};
  const DirectedSchedule made = ScheduleMaker(trace).make(order);
  ASSERT_EQ(made.schedule.choices(), 5u);
  EXPECT_EQ(made.schedule.steps[3].kind, StepKind::kWake);
  EXPECT_EQ(made.choices.back(), 4u);
}

}  // namespace
}  // namespace heddle
