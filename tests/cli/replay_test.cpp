// `heddle run` and `heddle replay` with the real runtime: a failure, again and again.
#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

constexpr const char* kDeadlock = R"(
#include <cstdlib>
#include <mutex>
#include <thread>
std::mutex first, second;
int main(int count, char**) {
  std::thread other([] {
    std::lock_guard one(first);
    std::lock_guard two(second);
  });
  {
    std::lock_guard two(second);
    std::lock_guard one(first);
  }
  other.join();
  return count - 1;
}
)";

// The program is built, and a failing seed found, once; each test gets both in its own folder.
class Replay : public ToolTest {
 protected:
  static void SetUpTestSuite() {
    shared_ = std::filesystem::path(::testing::TempDir()) / "heddle_cli_replay";
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(shared_); }

  void SetUp() override {
    ToolTest::SetUp();
    if (failure_.exit_code != 1) find_failure();
    ASSERT_EQ(failure_.exit_code, 1) << failure_.err;
    for (const char* file : {"deadlock.cpp", "deadlock", "f.schedule", "f.json"}) {
      std::filesystem::copy(shared_ / file, folder_ / file);
    }
  }

  void find_failure() {
    std::filesystem::remove_all(shared_);
    write("deadlock.cpp", kDeadlock);
    failure_ = shell("heddle c++ -std=c++17 deadlock.cpp -o deadlock");
    if (failure_.exit_code == 0)
      failure_ = shell("heddle run --output f.schedule --json f.json --seeds 1-50 -- ./deadlock");
    std::filesystem::rename(folder_, shared_);
    std::filesystem::create_directory(folder_);
  }

  static inline std::filesystem::path shared_;
  static inline ToolResult failure_;
};

TEST_F(Replay, ReportNamesWhoWaitsForWhatAndHowToReplay) {
  EXPECT_NE(failure_.err.find("deadlock"), std::string::npos) << failure_.err;
  EXPECT_NE(failure_.err.find("`first`"), std::string::npos) << failure_.err;
  EXPECT_NE(failure_.err.find("heddle replay"), std::string::npos) << failure_.err;
}

TEST_F(Replay, SeedMeansTheSameAloneAndInARange) {
  const int seed = nlohmann::json::parse(read("f.json"))["findings"][0]["seed"];
  const ToolResult alone =
      shell("heddle run --output alone.schedule --seed " + std::to_string(seed) + " -- ./deadlock");
  EXPECT_EQ(alone.exit_code, 1) << alone.err;
  EXPECT_EQ(read("alone.schedule"), read("f.schedule"));
}

TEST_F(Replay, IsTheSameTwentyTimes) {
  std::string trace;
  for (int i = 0; i < 20; ++i) {
    const ToolResult replay = shell("heddle replay --record t.trace f.schedule");
    ASSERT_EQ(replay.exit_code, 1) << replay.err;
    EXPECT_NE(replay.err.find("reproduced: deadlock"), std::string::npos) << replay.err;
    if (i == 0) trace = read("t.trace");
    EXPECT_EQ(read("t.trace"), trace);
  }
}

TEST_F(Replay, ReportsInSeveralFormsAtOnce) {
  // Built again, since places are below the folder in which it was built.
  ASSERT_EQ(shell("heddle c++ -std=c++17 -g deadlock.cpp -o here").exit_code, 0);
  const ToolResult run = shell(
      "heddle run --seeds 1-50 --json r.json -r sarif::r.sarif -r junit::r.xml -r html::r.html "
      "-r console::r.txt -r github -- ./here");
  ASSERT_EQ(run.exit_code, 1) << run.err;
  const auto sarif = nlohmann::json::parse(read("r.sarif"))["runs"][0]["results"][0];
  const auto json = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(sarif["ruleId"], "heddle/deadlock");
  EXPECT_EQ(sarif["partialFingerprints"]["heddle/v1"], json["findings"][0]["fingerprint"]);
  EXPECT_EQ(sarif["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "deadlock.cpp");
  EXPECT_GE(sarif["codeFlows"][0]["threadFlows"].size(), 2u);
  EXPECT_NE(read("r.xml").find("<failure type=\"deadlock\""), std::string::npos);
  EXPECT_NE(read("r.html").find("<html"), std::string::npos);
  EXPECT_NE(run.out.find("::error file=deadlock.cpp,line="), std::string::npos) << run.out;
  EXPECT_NE(read("r.txt").find("How it came about"), std::string::npos);

  // What was written can be told again, with the interleaving, which is not in it.
  const ToolResult again = shell("heddle report r.json");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, read("r.txt"));
  EXPECT_EQ(shell("heddle report r.json -r console -r junit::again.xml").out, again.out);
  const ToolResult quick = shell("heddle report r.json --no-replay -r sarif::again.sarif");
  EXPECT_EQ(quick.exit_code, 0) << quick.err;
  const auto without_flow = nlohmann::json::parse(read("again.sarif"))["runs"][0]["results"][0];
  EXPECT_EQ(without_flow["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "deadlock.cpp");
  EXPECT_FALSE(without_flow.contains("codeFlows"));
}

TEST_F(Replay, ReportersThatCannotBeMeantAreRefusedBeforeAnythingIsExecuted) {
  const auto refused = [&](const std::string& options, const std::string& why) {
    const ToolResult result = shell("heddle replay f.schedule " + options);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err.find(why), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("wait for each other"), std::string::npos) << result.err;
  };
  refused("-r sarrif::a",
          "there is no reporter sarrif; those there are: console, html, json, sarif, junit, github");
  refused("-r sarif::a -r junit::./a", "the reporters sarif and junit cannot both write ./a");
  refused("--json - -r github", "cannot both write the standard output");
  refused("-r sarif::nowhere/a", "there is no folder");
  refused("-r sarif::", "which file?");
}

TEST_F(Replay, AReportThatCannotBeWrittenKeepsNoOtherFromIt) {
  const ToolResult replay = shell("heddle replay f.schedule -r html::/dev/full -r junit::r.xml");
  EXPECT_GE(replay.exit_code, 2) << replay.err;
  EXPECT_NE(replay.err.find("/dev/full"), std::string::npos) << replay.err;
  EXPECT_NE(read("r.xml").find("</testsuites>"), std::string::npos);
}

TEST_F(Replay, GithubGetsAnnotationsByItself) {
  const ToolResult replay = shell("GITHUB_ACTIONS=true heddle replay f.schedule");
  EXPECT_NE(replay.err.find("::error title=Deadlock::"), std::string::npos) << replay.err;
  EXPECT_EQ(replay.out.find("::"), std::string::npos);
}

TEST_F(Replay, IsTheSameOnKernelThreads) {
  ASSERT_EQ(shell("heddle replay --record fibers.trace f.schedule").exit_code, 1);
  const ToolResult replay = shell("heddle replay --backend os --record os.trace f.schedule");
  EXPECT_EQ(replay.exit_code, 1) << replay.err;
  EXPECT_NE(replay.err.find("reproduced: deadlock"), std::string::npos) << replay.err;
  EXPECT_EQ(read("os.trace"), read("fibers.trace"));
}

TEST_F(Replay, SeedMeansTheSameOnKernelThreads) {
  const ToolResult run = shell("heddle run --backend os --output os.schedule --seeds 1-50 -- ./deadlock");
  EXPECT_EQ(run.exit_code, 1) << run.err;
  EXPECT_EQ(read("os.schedule"), read("f.schedule"));
  const ToolResult unknown = shell("heddle run --backend threads -- ./deadlock");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("fibers"), std::string::npos) << unknown.err;
}

TEST_F(Replay, WorksFromAnotherFolder) {
  const ToolResult replay = shell("mkdir sub && cd sub && heddle replay ../f.schedule");
  EXPECT_EQ(replay.exit_code, 1) << replay.err;
}

TEST_F(Replay, TellsInJsonWhetherItReproduced) {
  shell("heddle replay --json r.json f.schedule");
  const auto result = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(result["command"], "replay");
  EXPECT_EQ(result["reproduced"], true);
  EXPECT_EQ(result["findings"][0]["kind"], "deadlock");
}

TEST_F(Replay, RefusesAnotherBuildAndAnotherTest) {
  const ToolResult other_test = shell("heddle replay f.schedule -- ./deadlock more");
  EXPECT_EQ(other_test.exit_code, 2);
  EXPECT_NE(other_test.err.find("was made for the test"), std::string::npos) << other_test.err;
  ASSERT_EQ(shell("heddle c++ -std=c++17 -O2 deadlock.cpp -o deadlock").exit_code, 0);
  const ToolResult other_build = shell("heddle replay f.schedule");
  EXPECT_EQ(other_build.exit_code, 2);
  EXPECT_NE(other_build.err.find("another build"), std::string::npos) << other_build.err;
  const ToolResult anyway = shell("heddle run --schedule f.schedule -- ./deadlock");
  EXPECT_EQ(anyway.exit_code, 2);
}

// The schedule with a choice in the middle that cannot be made.
std::string with_impossible_choice(std::string schedule) {
  const size_t choices = schedule.rfind("  main");
  schedule.insert(choices, "  main/9 1\n");
  const size_t count = schedule.find("choices ");
  const size_t end = schedule.find('\n', count);
  const int number = std::stoi(schedule.substr(count + 8));
  return schedule.replace(count, end - count, "choices " + std::to_string(number + 1));
}

TEST_F(Replay, SaysWhereAScheduleCannotBeFollowed) {
  write("g.schedule", with_impossible_choice(read("f.schedule")));
  const ToolResult replay = shell("heddle replay g.schedule");
  EXPECT_EQ(replay.exit_code, 2);
  EXPECT_NE(replay.err.find("wants main/9, which does not exist there"), std::string::npos) << replay.err;
}

TEST_F(Replay, ForcedReplayThatLeftItsScheduleClaimsNothing) {
  // Nothing but an impossible choice: from the first step on the policy decides, which finds no deadlock.
  const std::string schedule = read("f.schedule");
  write("g.schedule", schedule.substr(0, schedule.find("choices ")) + "choices 1\n  main/9 1\nend\n");
  const ToolResult replay = shell("heddle replay --force --json r.json g.schedule");
  EXPECT_NE(replay.err.find("as choice 1 of 1 it wants main/9"), std::string::npos) << replay.err;
  EXPECT_NE(replay.err.find("from there on the policy"), std::string::npos) << replay.err;
  EXPECT_NE(replay.err.find("says nothing about the deadlock"), std::string::npos) << replay.err;
  EXPECT_EQ(replay.err.find("ran clean"), std::string::npos) << replay.err;
  const auto result = nlohmann::json::parse(read("r.json"));
  EXPECT_EQ(result["reproduced"], false);
  EXPECT_EQ(result["diverged_at"], 1);
}

TEST_F(Replay, WrongRuntimeOptionsAreOneSentenceWithTheRightOnes) {
  const ToolResult unknown = shell("HEDDLE_OPTIONS=speed=9 heddle run -- ./deadlock");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err.find("heddle: HEDDLE_OPTIONS names an unknown option speed; options: arena, policy"),
            0u)
      << unknown.err;
  const ToolResult no_number = shell("HEDDLE_OPTIONS=seed=one heddle run -- ./deadlock");
  EXPECT_EQ(no_number.exit_code, 2);
  EXPECT_EQ(no_number.err, "heddle: HEDDLE_OPTIONS has no whole number for seed: one\n");
}

}  // namespace
}  // namespace heddle
