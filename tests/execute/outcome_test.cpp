#include "execute/outcome.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstring>

namespace heddle {
namespace {

using trace::OutcomeKind;
using trace::OutcomeRecord;

int exited(int code) {
  return code << 8;
}
int signalled(int signal) {
  return signal;
}

TEST(Outcome, CleanExitIsOk) {
  EXPECT_EQ(merge_outcome({}, {.wait_status = exited(0)}).kind, OutcomeKind::kOk);
}

TEST(Outcome, ExitCodeIsAFailure) {
  const OutcomeRecord outcome = merge_outcome({}, {.wait_status = exited(7)});
  EXPECT_EQ(outcome.kind, OutcomeKind::kExitCode);
  EXPECT_EQ(outcome.exit_code, 7);
}

TEST(Outcome, SignalsAreCrashesUnlessTheyComeFromOutside) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGPIPE}) {
    EXPECT_EQ(merge_outcome({}, {.wait_status = signalled(signal)}).kind, OutcomeKind::kCrash);
  }
  for (const int signal : {SIGKILL, SIGTERM, SIGINT, SIGHUP}) {
    EXPECT_EQ(merge_outcome({}, {.wait_status = signalled(signal)}).kind, OutcomeKind::kKilled);
  }
}

TEST(Outcome, TimeoutIsAHangWithItsLimitInTheMessage) {
  const OutcomeRecord outcome = merge_outcome(
      {}, {.wait_status = signalled(SIGKILL), .timed_out = true, .timeout = std::chrono::milliseconds(1500)});
  EXPECT_EQ(outcome.kind, OutcomeKind::kHang);
  EXPECT_STREQ(outcome.message, "the program did not end within 1.5 seconds");
}

TEST(Outcome, AnnouncedFailureStands) {
  OutcomeRecord announced{};
  announced.kind = OutcomeKind::kDeadlock;
  std::strcpy(announced.message, "who waits");
  const OutcomeRecord outcome = merge_outcome(announced, {.wait_status = exited(66), .timed_out = true});
  EXPECT_EQ(outcome.kind, OutcomeKind::kDeadlock);
  EXPECT_STREQ(outcome.message, "who waits");
}

TEST(Outcome, ExecutionThatEndedWhereItsScheduleDidIsNoFailure) {
  OutcomeRecord announced{};
  announced.diverged_step = 5;
  EXPECT_EQ(merge_outcome(announced, {.wait_status = exited(66), .stop_at_divergence = true}).kind,
            OutcomeKind::kOk);
  EXPECT_EQ(merge_outcome(announced, {.wait_status = exited(66)}).kind, OutcomeKind::kExitCode);
}

TEST(Outcome, NonsenseFromABrokenProgramIsTamed) {
  OutcomeRecord announced{};
  announced.kind = static_cast<OutcomeKind>(4711);
  announced.stack_size = 1u << 30;
  std::memset(announced.message, 'x', sizeof(announced.message));
  const OutcomeRecord outcome = merge_outcome(announced, {});
  EXPECT_EQ(outcome.kind, OutcomeKind::kInternal);
  EXPECT_EQ(outcome.stack_size, trace::kMaxOutcomeStack);
  EXPECT_STREQ(outcome.message, "the record of this execution is damaged");
}

}  // namespace
}  // namespace heddle
