// What `heddle explore` finds and hands over.
#include "explore_fixture.h"

namespace heddle {
namespace {

using Kinds = std::set<std::string>;

using ExploreFindings = ExploreTest;

std::string schedule_of(const nlohmann::json& finding) {
  return finding["schedule"].get<std::string>();
}

TEST_F(ExploreFindings, AroundPreferredLinesComeSooner) {
  write("impact.json", R"({"impacted": [{"site": {"file": "programs/work_then_count.cpp", "line": 19}}]})");
  uint64_t executions[2] = {};
  for (const int prefers : {0, 1}) {
    const Explored explored =
        explore(std::string("--no-minimize --strategy pcb:1 ") + (prefers == 1 ? "--prefer impact.json" : ""),
                "work_then_count 400");
    EXPECT_EQ(explored.kinds(), Kinds{"assertion"}) << explored.err;
    executions[prefers] = explored["executions"];
  }
  EXPECT_GE(executions[0], 10 * executions[1]) << executions[0] << " and " << executions[1];
  EXPECT_EQ(explore("--prefer impact.json", "work_then_count 400").kinds(), Kinds{"assertion"});

  EXPECT_EQ(explore("--prefer impact.json --strategy dfs", "work_then_count 1").exit_code, 2);
  EXPECT_EQ(explore("--prefer missing.json", "work_then_count 1").exit_code, 2);
  write("impact.json", R"({"impacted": []})");
  EXPECT_TRUE(explore("--prefer impact.json", "work_then_count 1").says("nothing to prefer"));
}

TEST_F(ExploreFindings, OfTheReductionAreThoseOfEveryInterleaving) {
  const std::pair<std::string, Kinds> programs[] = {
      {"aba_stack", {"assertion"}},
      {"load_then_store", {"assertion"}},
      {"lost_wakeup", {"lost-wakeup"}},
      {"timeout_means_nothing_came", {"assertion"}},
      {"wrong_waiter", {"lost-wakeup"}},
      {"null_after_race", {"crash"}},
      {"check_then_act", {"assertion"}},
      {"gate_lock", {}},
      {"opposite_order", {"deadlock"}},
      {"try_lock_skips", {"assertion"}},
      {"mutex", {}},
      {"two_failures", {"assertion", "deadlock"}},
  };
  for (const auto& [program, kinds] : programs) {
    std::set<std::string> fingerprints[2];
    uint64_t executions[2] = {};
    for (const int reduced : {0, 1}) {
      const std::string strategy = reduced == 1 ? "dpor" : "dfs";
      const Explored explored =
          explore("--keep-going --no-minimize --budget 10m --strategy " + strategy, program);
      EXPECT_EQ(explored.exit_code, kinds.empty() ? 0 : 1) << program << explored.err;
      EXPECT_EQ(explored["complete"], true) << program << explored.err;
      EXPECT_EQ(explored.kinds(), kinds) << program << explored.err;
      executions[reduced] = explored["executions"];
      for (const nlohmann::json& finding : explored["findings"])
        fingerprints[reduced].insert(finding["fingerprint"]);
    }
    EXPECT_EQ(fingerprints[0], fingerprints[1]) << program;
    EXPECT_LT(executions[1], executions[0]) << program;
  }
}

TEST_F(ExploreFindings, EveryStrategyFindsBothFailuresAndTheirSchedulesReplay) {
  for (const std::string strategy :
       {"auto", "pcb:1", "delay:2", "dpor", "hapset", "hapset:1", "random", "pct:2", "pos", "surw", "rf"}) {
    const Explored explored =
        explore("--keep-going --max-executions 300 --strategy " + strategy, "two_failures");
    EXPECT_EQ(explored.exit_code, 1) << strategy << explored.err;
    EXPECT_EQ(explored.kinds(), (Kinds{"assertion", "deadlock"})) << strategy << explored.err;
    EXPECT_EQ(explored["findings"].size(), 2u) << strategy << explored.err;
    for (const nlohmann::json& finding : explored["findings"]) {
      const ToolResult replay = shell("heddle replay " + schedule_of(finding));
      EXPECT_EQ(replay.exit_code, 1) << strategy << replay.err;
      const std::string expected = "reproduced: " + finding["kind"].get<std::string>();
      EXPECT_NE(replay.err.find(expected), std::string::npos) << strategy << replay.err;
    }
  }
}

TEST_F(ExploreFindings, StopAtTheFirstOneByDefault) {
  const Explored explored = explore("--strategy dfs", "two_failures");
  EXPECT_EQ(explored.exit_code, 1);
  EXPECT_EQ(explored["findings"].size(), 1u);
  EXPECT_EQ(explored["complete"], false);
  EXPECT_TRUE(explored.says("stopped at the first failure (--keep-going goes on)")) << explored.err;
}

TEST_F(ExploreFindings, AreMinimised) {
  for (const std::string strategy : {"random", "dfs"}) {
    const Explored explored = explore("--strategy " + strategy, "two_failures");
    EXPECT_TRUE(explored.says("the smallest schedule found that shows it has 1 preemption\n"))
        << explored.err;
    EXPECT_GT(explored["minimizing_executions"], 0);
  }
  const Explored as_found = explore("--strategy random --no-minimize", "two_failures");
  EXPECT_FALSE(as_found.says("preemption")) << as_found.err;
  EXPECT_EQ(as_found["minimizing_executions"], 0);
}

TEST_F(ExploreFindings, NeedNoExplorationWhereTheDefaultScheduleFails) {
  const Explored explored = explore("", "fails_at_once");
  EXPECT_EQ(explored.exit_code, 1);
  EXPECT_TRUE(explored.says("the test needs no exploration to fail: it fails under the default schedule"))
      << explored.err;
  EXPECT_EQ(explored["executions"], 0);
  EXPECT_EQ(explored["findings"][0]["executions_to_find"], 1);
  EXPECT_EQ(shell("heddle replay " + schedule_of(explored["findings"][0])).exit_code, 1);
}

TEST_F(ExploreFindings, OfSeveralJobsAreTold) {
  const Explored explored =
      explore("--jobs 2 --strategy random --keep-going --max-executions 300", "two_failures");
  EXPECT_EQ(explored.exit_code, 1) << explored.err;
  EXPECT_EQ(explored.kinds(), (Kinds{"assertion", "deadlock"})) << explored.err;
  EXPECT_EQ(explored["executions"], 300);
}

// What is suppressed does not vanish: as many executions are counted as show it otherwise.
TEST_F(ExploreFindings, ThatAreSuppressedAreCounted) {
  write("list", "deadlock:*\n");
  const Explored told = explore("--keep-going --no-minimize --strategy dfs", "opposite_order");
  ASSERT_EQ(told["findings"].size(), 1u) << told.err;
  EXPECT_EQ(told["suppressed"], 0);
  const uint64_t failed = told["findings"][0]["occurrences"];

  const Explored explored = explore("--strategy dfs --suppressions list", "opposite_order");
  EXPECT_EQ(explored.exit_code, 0) << explored.err;
  EXPECT_EQ(explored["complete"], true);
  EXPECT_EQ(explored["suppressed"], failed);
  EXPECT_TRUE(explored.says("complete: no failure that is not suppressed;")) << explored.err;
  EXPECT_TRUE(explored.says(std::to_string(failed) + " executions failed with suppressed findings"))
      << explored.err;
}

TEST_F(ExploreFindings, ThatAreSuppressedAreCountedOverSeeds) {
  write("list", "deadlock:*\n");
  const std::string test = " --json result.json -- " + path_of("opposite_order");
  const Explored told = run("heddle run --keep-going --seeds 1-50" + test);
  ASSERT_EQ(told["findings"].size(), 1u) << told.err;
  EXPECT_EQ(told["suppressed"], 0);
  const uint64_t failed = told["findings"][0]["occurrences"];
  const uint64_t seed = told["findings"][0]["seed"];

  const Explored many = run("heddle run --suppressions list --seeds 1-50" + test);
  EXPECT_EQ(many.exit_code, 0) << many.err;
  EXPECT_EQ(many["suppressed"], failed);
  EXPECT_FALSE(many.says("ok:")) << many.err;
  EXPECT_TRUE(many.says(std::to_string(failed) + " executions failed with suppressed findings")) << many.err;

  const Explored one = run("heddle run --suppressions list --seed " + std::to_string(seed) + test);
  EXPECT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(one["suppressed"], 1);
  EXPECT_TRUE(one.says("1 execution failed with suppressed findings")) << one.err;
}

// As soon as the first report has come, SIGINT is sent, once: the second would end the tool. The tool is not
// in the background, where shells ignore SIGINT.
TEST_F(ExploreFindings, AreKeptWhenInterrupted) {
  const std::string interrupt =
      "sent=; while read -r line; do echo \"$line\"; case $sent$line in "
      "Replay:*) kill -INT $(cat pid); sent=yes;; esac; done <told >log &";
  const std::string test =
      "exec heddle explore --no-store --no-minimize --keep-going --budget 10m "
      "--strategy random --json result.json -- " +
      path_of("two_failures");
  const Explored explored = run("mkfifo told\n" + interrupt + "\nsh -c 'echo $$ >pid; " + test +
                                "' 2>told; code=$?; wait; exit $code");
  EXPECT_EQ(explored.exit_code, 1) << read("log");
  EXPECT_NE(read("log").find("interrupted"), std::string::npos) << read("log");
  ASSERT_GE(explored["findings"].size(), 1u);
  EXPECT_EQ(shell("heddle replay " + schedule_of(explored["findings"][0])).exit_code, 1);
}

}  // namespace
}  // namespace heddle
