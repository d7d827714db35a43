// What `heddle explore` says to what it cannot work with.
#include "explore_fixture.h"

namespace heddle {
namespace {

class ExploreInput : public ExploreTest {
 protected:
  void expect_refused(const std::string& options, const std::string& because,
                      const std::string& test = "mutex_orders 2") const {
    const Explored explored = explore(options, test);
    EXPECT_EQ(explored.exit_code, 2) << options << explored.err;
    EXPECT_TRUE(explored.says(because)) << options << ": " << explored.err;
    EXPECT_TRUE(explored.result.is_discarded()) << options;
  }
};

constexpr const char* kAll = "auto, dfs, pcb:K, delay:K, dpor, hapset[:K], random, pct:D, pos, surw, rf";

TEST_F(ExploreInput, UnknownStrategyIsAnsweredWithAllThereAre) {
  expect_refused("--strategy bogus", std::string("unknown strategy 'bogus': there are ") + kAll);
  expect_refused("--strategy ''", kAll);
  expect_refused("--strategy dpor:3", std::string("strategy dpor takes no bound; there are ") + kAll);
}

TEST_F(ExploreInput, MalformedBound) {
  expect_refused("--strategy pcb", "strategy pcb needs a bound: write pcb:K, such as pcb:2");
  for (const std::string bound : {"", "x", "-1", "2x", "1001", "99999999999999999999"}) {
    expect_refused(
        "--strategy pcb:" + bound,
        "'" + bound + "' is not a bound for pcb:K: expected a number from 0 to 1000, such as pcb:2");
  }
  expect_refused("--strategy pct:0", "expected a number from 1 to 1000");
}

TEST_F(ExploreInput, BudgetThatIsNoTime) {
  for (const std::string budget : {"0", "0s", "-1", "5q", "nonsense", "nan", "inf", "1e999"})
    expect_refused("--budget=" + budget, "is no budget: write a time above 0 with its unit");
}

TEST_F(ExploreInput, NumbersOutOfRange) {
  expect_refused("--max-executions 0", "'0' is not a whole number from 1");
  expect_refused("--jobs 0", "--jobs: Value 0 not in range 1 to 256");
  expect_refused("--jobs 2 --strategy dpor", "dpor is one search");
  expect_refused("--on-divergence maybe", "maybe not in {stop,continue}");
}

TEST_F(ExploreInput, OptionsForOneExecutionOrOneFailure) {
  expect_refused("--record t.trace", "`heddle replay --record FILE` records a failure that was found");
  expect_refused("--keep-going --output one.schedule", "--output must be a folder");
}

TEST_F(ExploreInput, ProgramThatCannotBeExplored) {
  expect_refused("", "does not exist", "no_such_program");
  write("text", "no program");
  const ToolResult text = shell("chmod +x text; heddle explore --no-store -- ./text");
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_NE(text.err.find("text is not an ELF program"), std::string::npos) << text.err;
  const ToolResult none = shell("heddle explore --no-store");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("no test was given"), std::string::npos) << none.err;
}

// An execution that the end of the budget cuts short is nothing unusual; one that has run for seconds is.
TEST_F(ExploreInput, TestThatMayHangIsToldFromOneThatHadTooLittleTime) {
  for (const bool has_time : {false, true}) {
    const Explored explored = explore(has_time ? "--budget 3s" : "--budget 300ms", "never_ends");
    EXPECT_EQ(explored.exit_code, 0) << explored.err;
    EXPECT_TRUE(explored.says("was spent")) << explored.err;
    EXPECT_EQ(explored.says("if it hangs, a --timeout shorter than the budget tells"), has_time)
        << explored.err;
  }
}

TEST_F(ExploreInput, TestThatIsNotDeterministicIsToldByTheEventThatDiffers) {
  const Explored explored = explore("", "counts_its_runs runs");
  EXPECT_EQ(explored.exit_code, 2) << explored.err;
  EXPECT_TRUE(explored.says("the test is not deterministic: two executions of one schedule differ at event "))
      << explored.err;
  EXPECT_TRUE(explored.says("main/1 does atomic-read on `value` at {lambda} counts_its_runs.cpp:"))
      << explored.err;
  EXPECT_TRUE(explored.says("main/1 does atomic-write on `value` at {lambda} counts_its_runs.cpp:"))
      << explored.err;
  EXPECT_TRUE(explored.says("--on-divergence continue goes on")) << explored.err;
  EXPECT_EQ(explored["complete"], false);
}

TEST_F(ExploreInput, TestThatIsNotDeterministicIsExploredOnDemandButNeverCompletely) {
  for (const std::string strategy : {"dpor", "auto", "random"}) {
    const Explored explored = explore("--on-divergence continue --max-executions 50 --strategy " + strategy,
                                      "counts_its_runs runs");
    EXPECT_EQ(explored.exit_code, 0) << explored.err;
    EXPECT_TRUE(explored.says("the test is not deterministic")) << explored.err;
    EXPECT_GT(explored["executions"], 0) << explored.err;
    EXPECT_EQ(explored["complete"], false) << explored.err;
  }
}

}  // namespace
}  // namespace heddle
