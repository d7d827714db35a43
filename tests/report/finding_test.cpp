#include "report/finding.h"

#include <set>

#include <gtest/gtest.h>

#include "report/suppressions.h"
#include "sample_traces.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

Finding finding_of(const trace::Trace& trace) {
  FakeSymbolizer symbolizer = bank_symbols();
  return *make_finding(trace, symbolizer);
}

TEST(Finding, NoneForAnExecutionThatEndedWell) {
  FakeSymbolizer symbolizer;
  EXPECT_EQ(make_finding(trace::Trace(), symbolizer), std::nullopt);
}

TEST(Finding, DeadlockNamesThreadsAndSites) {
  Finding finding = finding_of(deadlock_trace());
  EXPECT_EQ(finding.kind, "deadlock");
  EXPECT_EQ(finding.message, "main/1 and main/2 wait for each other");
  EXPECT_EQ(finding.threads, (std::vector<std::string>{"main/1", "main/2"}));
  ASSERT_EQ(finding.sites.size(), 4u);
  EXPECT_EQ(finding.sites[0], (FindingSite{"bank.cpp", 11, 7, "transfer"}));
  EXPECT_EQ(finding.sites[1], (FindingSite{"bank.cpp", 18, 7, "audit"}));
  EXPECT_TRUE(finding.confirmed);
}

TEST(Finding, FingerprintDoesNotDependOnLines) {
  FakeSymbolizer moved;
  moved.variable("a", 0, 40).variable("b", 40, 40);
  moved.function("transfer", 109, 115).function("audit", 117, 123).function("main", 145, 151);
  EXPECT_EQ(make_finding(deadlock_trace(100), moved)->fingerprint, finding_of(deadlock_trace()).fingerprint);
}

TEST(Finding, FingerprintDoesNotDependOnWhichThreadDoesWhat) {
  Finding swapped = finding_of(deadlock_trace(0, /*swapped=*/true));
  EXPECT_EQ(swapped.fingerprint, finding_of(deadlock_trace()).fingerprint);
}

TEST(Finding, FingerprintDoesNotDependOnWhatCameBefore) {
  EXPECT_EQ(finding_of(long_trace()).fingerprint, finding_of(deadlock_trace()).fingerprint);
}

TEST(Finding, LostWakeupNamesOnlyTheThreadThatMissedIt) {
  Finding finding = finding_of(stolen_wakeup_trace());
  EXPECT_EQ(finding.message, "main/3 can never be woken: the last notify woke main/2 instead");
  ASSERT_GE(finding.sites.size(), 2u);
  EXPECT_EQ(finding.sites[0].line, 34u) << "where the victim waits";
  EXPECT_EQ(finding.sites[1].line, 36u) << "the notify";
}

TEST(Finding, FingerprintOfALostWakeupDependsOnTheConditionAlone) {
  const std::string fingerprint = finding_of(stolen_wakeup_trace()).fingerprint;
  EXPECT_EQ(finding_of(stolen_wakeup_trace(/*consumer_is_victim=*/true)).fingerprint, fingerprint);
  EXPECT_EQ(finding_of(lost_wakeup_trace()).fingerprint, fingerprint);
}

TEST(Finding, FingerprintTellsFailuresApart) {
  std::set<std::string> fingerprints;
  for (const trace::Trace& trace :
       {deadlock_trace(), circle_trace(), self_deadlock_trace(), lost_wakeup_trace(), assertion_trace(),
        crash_trace(), exception_trace(), livelock_trace(), misuse_trace(), exit_code_trace()}) {
    Finding finding = finding_of(trace);
    EXPECT_EQ(finding.fingerprint.size(), 16u);
    EXPECT_TRUE(fingerprints.insert(finding.fingerprint).second) << finding.kind << ": " << finding.message;
  }
}

TEST(Finding, FailureInsideALibraryIsAtTheLineThatCalledIt) {
  FakeSymbolizer symbolizer = bank_symbols();
  trace::Trace crash = crash_trace();
  trace::OutcomeRecord outcome = crash.outcome();
  std::swap(outcome.stack[0], outcome.stack[1]);
  trace::TraceTables tables;
  tables.sites.assign(crash.sites().begin(), crash.sites().end());
  tables.modules.assign(crash.modules().begin(), crash.modules().end());
  tables.strings.assign(crash.strings().begin(), crash.strings().end());
  tables.threads.assign(crash.threads().begin(), crash.threads().end());
  symbolizer.frames(40, {{"libc.so.6+0x123", "", "", 0, 0}});
  tables.outcome = outcome;
  EXPECT_EQ(make_finding(trace::Trace::from_tables(tables), symbolizer)->sites[0].line, 12u);
}

TEST(Finding, ExitCodeBelongsToItsProgram) {
  trace::Trace one = exit_code_trace();
  trace::Trace other = one;
  one.describe({"build/one", "x"}, "random");
  other.describe({"build/other", "x"}, "random");
  EXPECT_NE(finding_of(one).fingerprint, finding_of(other).fingerprint);
  other.describe({"elsewhere/one", "y"}, "pct:2");
  EXPECT_EQ(finding_of(one).fingerprint, finding_of(other).fingerprint);
}

TEST(Finding, FingerprintOfUnknownCodeDoesNotDependOnItsOffset) {
  FakeSymbolizer nothing;
  EXPECT_EQ(make_finding(deadlock_trace(), nothing)->fingerprint,
            make_finding(deadlock_trace(100), nothing)->fingerprint);
}

// bump() on line 10 is called by known() on line 20 or by fresh() on line 30.
trace::RaceRecord race_of_callers(trace::TraceBuilder& b, uint64_t caller) {
  trace::RaceRecord race{};
  for (trace::RaceAccess* access : {&race.first, &race.second}) {
    auto thread = b.main_thread().fork();
    thread.call(caller).write(b.global()).at(10);
    const trace::EventRecord& event = b.tables().events.back();
    *access = {.thread = event.thread,
               .site = event.site,
               .context = event.context,
               .size = event.size,
               .offset = 0,
               .event = b.tables().events.size(),
               .kind = event.kind};
    race.object = event.object;
  }
  return race;
}

FakeSymbolizer caller_symbols() {
  FakeSymbolizer names;
  names.function("bump", 10, 10).function("known", 20, 20).function("fresh", 30, 30);
  return names;
}

TEST(Finding, ASuppressedRaceDoesNotHideOneOfOtherCallers) {
  trace::TraceBuilder b;
  for (const uint64_t caller : {20, 30, 30}) b.tables().races.push_back(race_of_callers(b, caller));
  b.outcome(trace::OutcomeKind::kRace, b.main_thread());
  const trace::Trace trace = b.build();
  FakeSymbolizer names = caller_symbols();
  EXPECT_EQ(make_findings(trace, names).size(), 1u);
  Suppressions known = *Suppressions::parse("race:known", "file");
  const std::vector<Finding> told = make_findings(trace, names, &known);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].race, 1u);
  Suppressions both = *Suppressions::parse("race:known\nrace:fresh", "file");
  EXPECT_TRUE(make_findings(trace, names, &both).empty());
}

TEST(Finding, ASuppressedFailureDoesNotHideRaces) {
  trace::TraceBuilder b;
  b.tables().races.push_back(race_of_callers(b, 30));
  b.outcome(trace::OutcomeKind::kMisuse, b.main_thread(), "unlock of a mutex that is not locked");
  b.tables().outcome.site = b.site(20);
  const trace::Trace trace = b.build();
  FakeSymbolizer names = caller_symbols();
  Suppressions known = *Suppressions::parse("mutex:known", "file");
  const std::vector<Finding> told = make_findings(trace, names, &known);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].kind, "race");
}

}  // namespace
}  // namespace heddle
