#include "report/finding.h"

#include <set>

#include <gtest/gtest.h>

#include "sample_traces.h"

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

}  // namespace
}  // namespace heddle
