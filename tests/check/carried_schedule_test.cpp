#include "check/carried_schedule.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::StepKind;

// Two threads that write a variable at these sites, one after another.
using Code = std::vector<std::vector<uint32_t>>;

// 0 for main/1, 1 for main/2; main makes no steps.
std::vector<uint32_t> threads_of(const trace::Schedule& schedule) {
  std::vector<uint32_t> threads;
  for (const trace::StepRecord& step : schedule.steps) {
    const std::string name = schedule.threads.name(step.thread);
    // A run "as far as it goes" has more steps than anything here.
    threads.insert(threads.end(), std::min<uint32_t>(step.count, 100), name == "main/1" ? 0 : 1);
  }
  return threads;
}

// Threads in this order as long as they have something to do, then the rest, the first one first.
trace::Trace execute(const Code& code, const std::vector<uint32_t>& order) {
  trace::TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  std::vector<trace::TraceBuilder::Thread> threads;
  for (size_t i = 0; i < code.size(); ++i) threads.push_back(main.fork());
  std::vector<size_t> done(code.size());
  const auto step = [&](uint32_t thread) {
    if (done[thread] == code[thread].size()) return false;
    threads[thread].write(x).at(code[thread][done[thread]++]);
    return true;
  };
  for (const uint32_t thread : order)
    if (!step(thread)) break;
  for (uint32_t thread = 0; thread < code.size(); ++thread)
    while (step(thread)) continue;
  trace::TraceTables& tables = b.tables();
  for (uint64_t i = 0; i < tables.events.size(); ++i)
    if (tables.events[i].kind == trace::EventKind::kWrite)
      tables.choices.push_back({.first_event = i,
                                .first_alternative = 0,
                                .alternatives = 1,
                                .thread = tables.events[i].thread,
                                .kind = StepKind::kRun,
                                .reserved = 0});
  return b.build();
}

// Sites are numbered as they come.
VersionNames names_of(const trace::Trace& trace) {
  VersionNames names;
  for (const trace::SiteRecord& site : trace.sites()) names.statements.push_back(site.offset);
  return names;
}

CarriedSchedule carry(const Code& base, const std::vector<uint32_t>& order, const Code& head) {
  const trace::Trace trace = execute(base, order);
  const VersionNames names = names_of(trace);
  return *carry_over(runs_of(ComparableTrace(trace, names)),
                     {.execute = [&](const trace::Schedule& schedule) -> Expected<Execution> {
                        Execution execution;
                        execution.trace = execute(head, threads_of(schedule));
                        return execution;
                      },
                      .names = names_of});
}

using Order = std::vector<uint32_t>;

TEST(CarriedSchedule, OfTheSameProgramIsTheSame) {
  const Code code = {{1, 2, 3}, {4, 5}};
  const CarriedSchedule carried = carry(code, {0, 1, 0, 0, 1}, code);
  EXPECT_EQ(carried.followed, 4u);
  EXPECT_EQ(threads_of(carried.schedule), (Order{0, 1, 0, 0, 1}));
}

TEST(CarriedSchedule, SwitchesWhereTheBaseDoesWhateverIsExecutedBefore) {
  // Before its second statement the first thread now does more, and the other one less.
  const CarriedSchedule carried =
      carry({{1, 2, 3}, {4, 4, 5}}, {0, 1, 1, 0, 0, 1}, {{1, 7, 8, 2, 3}, {4, 5}});
  EXPECT_EQ(carried.followed, 4u);
  EXPECT_EQ(threads_of(carried.schedule), (Order{0, 0, 0, 1, 0, 0, 1}));
}

TEST(CarriedSchedule, TakesTheNextStatementForOneThatIsGone) {
  const CarriedSchedule carried = carry({{1, 2, 3}, {4}}, {0, 1, 0, 0}, {{1, 9, 3}, {4}});
  EXPECT_EQ(carried.followed, 3u);
  EXPECT_EQ(threads_of(carried.schedule), (Order{0, 0, 1, 0}));
}

TEST(CarriedSchedule, EndsWhereTheHeadDoesSomethingElse) {
  const CarriedSchedule carried = carry({{1, 2}, {4, 5}}, {0, 1, 0, 1}, {{1, 9}, {4, 5}});
  EXPECT_EQ(carried.followed, 0u);
  const CarriedSchedule without = carry({{1, 2}, {4, 5}}, {0, 1, 0, 1}, {{1, 2}});
  EXPECT_EQ(without.followed, 1u);
}

}  // namespace
}  // namespace heddle
