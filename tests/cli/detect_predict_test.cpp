// `heddle detect` and `heddle predict` on traces and on programs; tests/subjects has many more programs.
#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

constexpr const char* kRace =
    "main|fork(t)|1\n"
    "main|w(x)|2\n"
    "t|w(x)|3\n";

// The critical sections came in a lucky order.
constexpr const char* kMaskedRace =
    "main|fork(t)|1\n"
    "main|w(x)|2\n"
    "main|acq(m)|3\n"
    "main|rel(m)|4\n"
    "t|acq(m)|5\n"
    "t|rel(m)|6\n"
    "t|r(x)|7\n";

constexpr const char* kOppositeOrder =
    "main|fork(t)|1\n"
    "main|acq(a)|2\nmain|acq(b)|3\nmain|rel(b)|4\nmain|rel(a)|5\n"
    "t|acq(b)|6\nt|acq(a)|7\nt|rel(a)|8\nt|rel(b)|9\n";

class DetectPredict : public ToolTest {
 protected:
  nlohmann::json json(const std::string& name = "result.json") const {
    return nlohmann::json::parse(read(name), nullptr, false);
  }
  std::string program(const std::string& name) const { return std::string(HEDDLE_EXPLORED) + "/" + name; }
};

TEST_F(DetectPredict, ReadTextFromAFileAndFromTheStandardInput) {
  write("race.std", kRace);
  for (const std::string line :
       {"heddle detect --json result.json race.std", "heddle detect --json result.json - < race.std",
        "heddle predict --json result.json race.std"}) {
    const ToolResult result = shell(line);
    EXPECT_EQ(result.exit_code, 1) << line << result.err;
    EXPECT_NE(result.err.find("WARNING: ThreadSanitizer: data race"), std::string::npos) << result.err;
    ASSERT_EQ(json()["findings"].size(), 1u) << line;
    EXPECT_EQ(json()["findings"][0]["kind"], "race");
    EXPECT_EQ(json()["events"], 3);
  }
}

TEST_F(DetectPredict, OnlyPredictSeesWhatTheOrderMasks) {
  write("masked.std", kMaskedRace);
  const ToolResult detected = shell("heddle detect --analysis races --json result.json masked.std");
  EXPECT_EQ(detected.exit_code, 0) << detected.err;
  const ToolResult predicted = shell("heddle predict --json result.json masked.std");
  EXPECT_EQ(predicted.exit_code, 1) << predicted.err;
  ASSERT_EQ(json()["findings"].size(), 1u);
  EXPECT_EQ(json()["findings"][0]["confirmation"], "predicted");
  EXPECT_EQ(json()["findings"][0]["confirmed"], false);
}

TEST_F(DetectPredict, AnalysesAreOneWordAndTheNextIsTheTrace) {
  write("race.std", kRace);
  for (const std::string analyses : {"races", "deadlocks,races", "deadlocks --analysis races"}) {
    const ToolResult result = shell("heddle detect --json result.json --analysis " + analyses + " race.std");
    EXPECT_EQ(result.exit_code, 1) << analyses << result.err;
    EXPECT_EQ(json()["findings"].size(), 1u) << analyses << result.err;
  }
}

// A bare number there would read as a line, or as a function.
TEST_F(DetectPredict, SummaryOfATextTraceNamesItsLocation) {
  write("race.std", kRace);
  const ToolResult result = shell("heddle detect race.std");
  EXPECT_NE(result.err.find("SUMMARY: ThreadSanitizer: data race location 3\n"), std::string::npos)
      << result.err;
}

TEST_F(DetectPredict, LocksInACircle) {
  write("locks.std", kOppositeOrder);
  for (const std::string command : {"detect", "predict"}) {
    const ToolResult result = shell("heddle " + command + " --json result.json locks.std");
    EXPECT_EQ(result.exit_code, 1) << result.err;
    ASSERT_EQ(json()["findings"].size(), 1u) << result.err;
    EXPECT_EQ(json()["findings"][0]["kind"], "deadlock");
  }
}

TEST_F(DetectPredict, SuppressedFindingsAreCountedAndUnusedSuppressionsTold) {
  write("race.std", kRace);
  write("list", "# known\nrace:x\nrace:nobody\n");
  const ToolResult result = shell("heddle detect --suppressions list --json result.json race.std");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(json()["findings"].empty());
  EXPECT_EQ(json()["suppressed"], 1);
  EXPECT_NE(result.err.find("list:3: suppression race:nobody matched nothing"), std::string::npos)
      << result.err;
  write("list", "nonsense\n");
  const ToolResult refused = shell("heddle detect --suppressions list race.std");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("list:1: expected kind:pattern"), std::string::npos) << refused.err;
}

TEST_F(DetectPredict, BadTextIsRefusedWithItsPosition) {
  for (const auto& [text, where] :
       {std::pair{"main|rel(m)|1\n", "bad.std:1"}, std::pair{"main|w(x)|1\nmain|w(x\n", "bad.std:2"},
        std::pair{"main|fork(t)|1\nmain|fork(t)|2\n", "bad.std:2"}}) {
    write("bad.std", text);
    for (const std::string command : {"detect", "predict", "trace import"}) {
      const ToolResult result =
          shell("heddle " + command + " bad.std" + (command == "trace import" ? " x" : ""));
      EXPECT_EQ(result.exit_code, 2) << command << text;
      EXPECT_NE(result.err.find(where), std::string::npos) << command << result.err;
    }
  }
}

TEST_F(DetectPredict, UsageThatMakesNoSense) {
  write("race.std", kRace);
  EXPECT_EQ(shell("heddle detect").exit_code, 2);
  EXPECT_EQ(shell("heddle predict").exit_code, 2);
  EXPECT_EQ(shell("heddle predict --confirm race.std").exit_code, 2);
  EXPECT_EQ(shell("heddle detect race.std -- ./x").exit_code, 2);
  EXPECT_EQ(shell("heddle detect missing.std").exit_code, 2);
  EXPECT_EQ(shell("heddle predict --units nonsense race.std").exit_code, 2);
  EXPECT_EQ(shell("heddle detect --analysis nonsense race.std").exit_code, 2);
}

TEST_F(DetectPredict, TextGoesThereAndBackAgain) {
  write("race.std", kMaskedRace);
  EXPECT_EQ(shell("heddle trace import race.std race.trace").exit_code, 0);
  const ToolResult exported = shell("heddle trace export race.trace");
  EXPECT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_EQ(exported.out, kMaskedRace);
}

TEST_F(DetectPredict, AccessesToAStackRaceWhereTheyOverlap) {
  for (const auto& [name, races] : {std::pair{"half_on_stack", 1u}, std::pair{"halves_on_stack", 0u}}) {
    const ToolResult recorded = shell("heddle detect --record t.trace -- " + program(name));
    EXPECT_EQ(recorded.exit_code, races) << recorded.err;
    for (const std::string analysis : {"detect --analysis races", "predict"}) {
      const ToolResult result = shell("heddle " + analysis + " --json result.json t.trace");
      EXPECT_EQ(json()["findings"].size(), races) << name << analysis << result.err;
    }
  }
}

TEST_F(DetectPredict, DeadlockIsExecutedAndReplays) {
  const ToolResult result =
      shell("heddle predict --json result.json --output found.schedule -- " + program("opposite_order"));
  EXPECT_EQ(result.exit_code, 1) << result.err;
  bool found = false;
  const nlohmann::json all = json();
  for (const nlohmann::json& finding : all["findings"]) {
    found |=
        finding["kind"] == "deadlock" && finding["confirmation"] == "harmful" && finding["confirmed"] == true;
  }
  EXPECT_TRUE(found) << result.err;
  EXPECT_EQ(shell("heddle replay found.schedule").exit_code, 1);
}

TEST_F(DetectPredict, AWitnessOfAnotherProgramSaysWhereItDiverges) {
  EXPECT_LE(shell("heddle predict --no-confirm --record t.trace -- " + program("check_then_act")).exit_code,
            1);
  const ToolResult result = shell("heddle predict --all --json result.json t.trace -- " + program("mutex"));
  EXPECT_LE(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("not reproduced"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace heddle
