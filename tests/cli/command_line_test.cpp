// What a user sees of `heddle run`, and of bad input, with a runtime that only pretends.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

using ::testing::Test;

using CommandLine = ToolTest;

void expect_usage_error(const ToolResult& result, const std::string& part) {
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST_F(CommandLine, HelpAndVersionAreNoErrors) {
  EXPECT_EQ(shell("heddle --help").exit_code, 0);
  EXPECT_NE(shell("heddle run --help").out.find("--policy"), std::string::npos);
  EXPECT_TRUE(shell("heddle --version").out.starts_with("heddle "));
}

TEST_F(CommandLine, WrongUsageIsOneSentenceThatSaysWhatIsRight) {
  expect_usage_error(shell("heddle"), "commands: check, run, explore, detect, predict, replay");
  expect_usage_error(shell("heddle frobnicate"),
                     "unknown command frobnicate; commands: check, run, explore, detect, predict, replay");
  expect_usage_error(shell("heddle run --frobnicate -- x"),
                     "unknown option --frobnicate; options: --help, --policy");
  expect_usage_error(shell("heddle run"), "heddle run [options] -- PROGRAM");
  expect_usage_error(shell("heddle run ./x"), "goes after `--`");
  expect_usage_error(shell("heddle run --policy wild -- ./x"), "nonpreemptive, round-robin, random, pct:D");
  expect_usage_error(shell("heddle run --policy surw -- ./x"), "heddle explore --strategy surw");
  expect_usage_error(shell("heddle run --seed many -- ./x"), "--seed");
  expect_usage_error(shell("heddle run --timeout 0 -- ./x"), "--timeout");
  expect_usage_error(shell("heddle run --timeouts never -- ./x"), "--timeouts");
  expect_usage_error(shell("heddle trace"), "commands: dump, export, import, stats");
  expect_usage_error(shell("heddle trace dump"), "FILE is required");
  expect_usage_error(shell("heddle replay"), "FILE is required");
}

TEST_F(CommandLine, NumbersOutOfRangeAreRefused) {
  for (const char* seed : {"-1", "18446744073709551616", "1.5", "0x10", "''"}) {
    expect_usage_error(shell(std::string("heddle run --seed ") + seed + " -- ./x"), "is not a whole number");
  }
  expect_usage_error(shell("heddle run --max-steps 0 -- ./x"), "is not a whole number from 1");
  expect_usage_error(shell("heddle trace dump --from -3 x"), "is not a whole number");
  for (const char* timeout : {"-1", "1e300", "nan", "inf", "0.0001"}) {
    expect_usage_error(shell(std::string("heddle run --timeout ") + timeout + " -- ./x"),
                       "is not a number of seconds");
  }
}

TEST_F(CommandLine, SeedsAreARangeForRandomPolicies) {
  expect_usage_error(shell("heddle run --seeds 5 -- ./x"), "write FIRST-LAST");
  expect_usage_error(shell("heddle run --inject rain -- ./x"), "cannot inject 'rain'");
  expect_usage_error(shell("heddle run --inject '' -- ./x"), "cannot inject ''");
  expect_usage_error(shell("heddle run --seeds 9-1 -- ./x"), "write FIRST-LAST");
  expect_usage_error(shell("heddle run --seeds 1-9 --seed 4 -- ./x"), "excludes");
  expect_usage_error(shell("heddle run --keep-going -- ./x"), "--seeds");
  expect_usage_error(shell("heddle run --seeds 1-9 --policy round-robin -- ./x"), "the same for every seed");
  expect_usage_error(shell("heddle run --seeds 1-9 --record t.trace -- ./x"), "heddle replay --record");
  expect_usage_error(shell("heddle run --seeds 1-9 --keep-going --output f -- ./x"), "must be a folder");
}

TEST_F(CommandLine, SeedsStopAtTheFirstFailure) {
  const ToolResult result = fake_shell("heddle run --seeds 11-20 --json r.json -- $P exit 3");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("seed 11 fails"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("1 of 10 executions"), std::string::npos) << result.err;
  const auto json = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(json["executions"], 1);
  EXPECT_EQ(json["complete"], false);
  EXPECT_EQ(json["findings"][0]["seed"], 11);
}

TEST_F(CommandLine, SeedsKeepGoingAndReportEachFindingOnce) {
  const ToolResult result = fake_shell("heddle run --seeds 1-10 --keep-going --json r.json -- $P exit 3");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("1 finding in 10 of them"), std::string::npos) << result.err;
  EXPECT_EQ(files().size(), 2u) << "one schedule and the JSON";
  const auto json = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(json["executions"], 10);
  EXPECT_EQ(json["complete"], true);
  ASSERT_EQ(json["findings"].size(), 1u);
  EXPECT_EQ(json["findings"][0]["occurrences"], 10);
  EXPECT_EQ(json["findings"][0]["executions_to_find"], 1);
  EXPECT_EQ(json["seeds"]["last"], 10);
}

TEST_F(CommandLine, SeedsPrintOnlyWhatFailingExecutionsPrint) {
  const ToolResult clean = fake_shell("heddle run --seeds 1-10 -- $P print");
  EXPECT_EQ(clean.exit_code, 0) << clean.err;
  EXPECT_EQ(clean.out, "");
  EXPECT_NE(clean.err.find("ok: 10 of 10 executions"), std::string::npos) << clean.err;
}

TEST_F(CommandLine, SeedThatWasKilledFromOutsideEndsTheRunAsTrouble) {
  const ToolResult result = fake_shell("heddle run --seeds 1-10 --keep-going -- $P killed");
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_NE(result.err.find("seed 1: the program was killed from outside"), std::string::npos) << result.err;
}

TEST_F(CommandLine, PipesAreNotWaitedFor) {
  expect_usage_error(fake_shell("mkfifo pipe; heddle run -- ./pipe"), "is not a file");
  expect_usage_error(fake_shell("heddle run --stdin pipe -- $P"), "is not a regular file");
}

TEST_F(CommandLine, ClosedAndFullStreamsAreSurvived) {
  EXPECT_EQ(fake_shell("heddle run -- $P print >&- 2>&-").exit_code, 0);
  EXPECT_EQ(fake_shell("heddle run -- $P exit 3 <&- >&- 2>&-").exit_code, 1);
  EXPECT_EQ(fake_shell("heddle run -- $P print >/dev/full 2>/dev/full").exit_code, 0);
  EXPECT_EQ(shell("heddle frobnicate 2>/dev/full").exit_code, 2);
  EXPECT_EQ(shell("heddle doctor >/dev/full").exit_code, 3);
}

TEST_F(CommandLine, DamagedRecordIsToldAndStillReported) {
  const ToolResult failed = fake_shell("heddle run -- $P tear 5");
  EXPECT_EQ(failed.exit_code, 1) << failed.err;
  EXPECT_NE(failed.err.find("the record of this execution is damaged"), std::string::npos) << failed.err;
  const ToolResult ended = fake_shell("heddle run -- $P tear 0");
  EXPECT_EQ(ended.exit_code, 3) << ended.err;
}

TEST_F(CommandLine, UnusableProgramsAreOneSentenceWithTheWayOut) {
  write("script", "#!/bin/sh\n");
  expect_usage_error(fake_shell("heddle run -- ./missing"), "does not exist");
  expect_usage_error(fake_shell("chmod +x script; heddle run -- ./script"), "is a script");
  expect_usage_error(fake_shell("heddle run -- " HEDDLE_PLAIN_PROGRAM), "-fsanitize=thread");
  expect_usage_error(fake_shell("heddle run -- /proc"), "is not a file");
}

TEST_F(CommandLine, BadFilesAreNamed) {
  write("text", "something else");
  expect_usage_error(shell("heddle trace dump text"), "text");
  expect_usage_error(shell("heddle trace stats missing"), "missing");
  expect_usage_error(shell("heddle replay text"), "text");
  expect_usage_error(shell("heddle replay missing"), "missing");
  expect_usage_error(fake_shell("heddle run --schedule text -- $P"), "text");
  expect_usage_error(fake_shell("heddle run --stdin missing -- $P"), "missing");
  expect_usage_error(fake_shell("heddle run --record no/such/folder/t -- $P"), "no/such/folder");
}

TEST_F(CommandLine, OutputOfTheProgramPassesThroughUntouched) {
  const ToolResult result = fake_shell("heddle run -- $P print");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "hello\n");
  EXPECT_TRUE(result.err.starts_with("oops\n")) << result.err;
}

TEST_F(CommandLine, FailureIsReportedAndWritesAScheduleThatIsNeverLost) {
  EXPECT_EQ(fake_shell("heddle run -- $P exit 3").exit_code, 1);
  const std::vector<std::string> first = files();
  ASSERT_EQ(first.size(), 1u);
  EXPECT_TRUE(first[0].starts_with("heddle-exit-code-")) << first[0];
  // The same failure by the same schedule is the same file; by another one it gets a name of its own.
  EXPECT_EQ(fake_shell("heddle run -- $P exit 3").exit_code, 1);
  EXPECT_EQ(files(), first);
  const std::string content = read(first[0]);
  EXPECT_EQ(fake_shell("heddle run --seed 2 -- $P exit 3").exit_code, 1);
  EXPECT_EQ(files().size(), 2u);
  EXPECT_EQ(read(first[0]), content);
}

TEST_F(CommandLine, ScheduleGoesWhereTheUserSays) {
  fake_shell("heddle run --output folder/ -- $P crash");
  EXPECT_EQ(files(), std::vector<std::string>{"folder"});
  fake_shell("heddle run --output clean.schedule -- $P ok");
  EXPECT_TRUE(read("clean.schedule").starts_with("heddle-schedule 1\n"));
}

TEST_F(CommandLine, ExitCodesTellFindingsFromTrouble) {
  EXPECT_EQ(fake_shell("heddle run -- $P ok").exit_code, 0);
  EXPECT_EQ(fake_shell("heddle run -- $P crash").exit_code, 1);
  EXPECT_EQ(fake_shell("heddle run --timeout 0.05 --no-learn -- $P hang").exit_code, 1);
}

TEST_F(CommandLine, ProgramKilledFromOutsideIsNoFindingAndLeavesNothing) {
  const ToolResult killed = fake_shell("heddle run -- $P killed");
  EXPECT_EQ(killed.exit_code, 3);
  EXPECT_NE(killed.err.find("killed from outside by SIGKILL"), std::string::npos) << killed.err;
  EXPECT_EQ(fake_shell("heddle run -- $P kill-server").exit_code, 3);
  EXPECT_TRUE(files().empty());
}

TEST_F(CommandLine, ReaderThatGoesAwayIsNoTrouble) {
  const ToolResult result =
      fake_shell("{ heddle run --no-learn -- $P flood; echo $? >code; } 2>/dev/null | head -c 1");
  EXPECT_EQ(result.out, "x");
  EXPECT_EQ(read("code"), "0\n");
}

TEST_F(CommandLine, InputComesFromAFileOrAPipe) {
  write("input", "abc");
  EXPECT_EQ(fake_shell("heddle run --stdin input -- $P input").out, "abc");
  EXPECT_EQ(fake_shell("heddle run -- $P input <input").out, "abc");
  EXPECT_EQ(fake_shell("printf xyz | heddle run --stdin - -- $P input").out, "xyz");
}

TEST_F(CommandLine, JsonHasTheDocumentedFields) {
  fake_shell("heddle run --json ok.json -- $P ok");
  const auto ok = nlohmann::json::parse(read("ok.json"));
  EXPECT_EQ(ok["command"], "run");
  EXPECT_EQ(ok["executions"], 1);
  EXPECT_EQ(ok["learning_executions"], 11);
  EXPECT_EQ(ok["complete"], true);
  EXPECT_TRUE(ok["findings"].empty());

  fake_shell("heddle run --json bad.json -- $P exit 3");
  const auto bad = nlohmann::json::parse(read("bad.json"));
  ASSERT_EQ(bad["findings"].size(), 1u);
  const auto& finding = bad["findings"][0];
  EXPECT_EQ(finding["kind"], "exit-code");
  EXPECT_EQ(finding["confirmed"], true);
  EXPECT_EQ(finding["confirmation"], "executed");
  EXPECT_EQ(finding["executions_to_find"], 1);
  EXPECT_TRUE(std::filesystem::path(std::string(finding["schedule"])).is_absolute());
}

TEST_F(CommandLine, RecordedTraceCanBeLookedAt) {
  EXPECT_EQ(fake_shell("heddle run --record t.trace -- $P ok").exit_code, 0);
  EXPECT_EQ(files(), std::vector<std::string>{"t.trace"});
  EXPECT_EQ(shell("heddle trace dump t.trace").exit_code, 0);
  EXPECT_NE(shell("heddle trace stats t.trace").out.find("random seed 1"), std::string::npos);
  expect_usage_error(shell("heddle trace dump --kind nap t.trace"),
                     "there is no event kind nap; kinds: read, write");
}

TEST_F(CommandLine, EventsAreSelectedByTheirNumbers) {
  write("text.std", "main|w(a)|1\nmain|w(b)|2\nmain|w(c)|3\nmain|w(d)|4\n");
  ASSERT_EQ(shell("heddle trace import text.std t.trace").exit_code, 0);
  const std::string events = " | grep '^ *[0-9]'";
  const std::string expected = shell("heddle trace dump t.trace | grep '^ *[12] '").out;
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 2) << expected;
  // The names of old work and are not advertised.
  for (const std::string range : {"--from 1 --to 2", "--first 1 --last 2"})
    EXPECT_EQ(shell("heddle trace dump t.trace " + range + events).out, expected) << range;
  const std::string help = shell("heddle trace dump --help").out;
  EXPECT_NE(help.find("--from"), std::string::npos) << help;
  EXPECT_EQ(help.find("--first"), std::string::npos) << help;
}

TEST_F(CommandLine, DoctorExplainsTheMachineAndABinary) {
  const ToolResult machine = fake_shell("heddle doctor");
  EXPECT_NE(machine.out.find("address randomisation"), std::string::npos);
  const ToolResult good = fake_shell("heddle doctor $P");
  EXPECT_NE(good.out.find("it is instrumented"), std::string::npos);
  const ToolResult bad = fake_shell("heddle doctor " HEDDLE_PLAIN_PROGRAM);
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_NE(bad.out.find("bad "), std::string::npos);
  EXPECT_NE(bad.out.find("-fsanitize=thread"), std::string::npos);
}

}  // namespace
}  // namespace heddle
