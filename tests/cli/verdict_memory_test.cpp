// What `heddle detect` and `heddle predict` have confirmed is not executed again, whatever the input is.
#include <nlohmann/json.hpp>

#include "history/database.h"
#include "tool.h"

namespace heddle {
namespace {

// The balance comes out wrong if two deposits meet: a write with a read, or two writes. Which threads there
// are depends on the input.
constexpr const char* kAccount = R"(
#include <cstdio>
#include <cstdlib>
#include <thread>

int balance = 0;
int visits = 0;

void deposit(int times) {
  for (int i = 0; i < times; ++i) balance += AMOUNT;
}

void visit() { ++visits; }

int main(int, char** arguments) {
  const int times = std::atoi(arguments[1]);
  std::thread other(deposit, times);
  deposit(times);
  other.join();
  if (times == 3) {
    std::thread visitor(visit);
    visit();
    visitor.join();
  }
  std::printf("%d %d\n", balance, visits);
}
)";

// No lock protects the value, but whoever sees that it is ready comes after its first writer.
constexpr const char* kHandedOver = R"(
#include <mutex>
#include <thread>

std::mutex mutex;
bool ready = false;
int value = 0;

bool is_ready() {
  const std::lock_guard guard(mutex);
  return ready;
}

int main() {
  std::thread other([] {
    if (is_ready()) value = 2;
  });
  value = 1;
  {
    const std::lock_guard guard(mutex);
    ready = true;
  }
  other.join();
}
)";

struct Told {
  ToolResult tool;
  nlohmann::json result;

  // The findings that this run has executed, or those that an earlier one has.
  std::vector<nlohmann::json> findings(bool earlier) const {
    std::vector<nlohmann::json> some;
    for (const nlohmann::json& finding : result["findings"])
      if (finding.value("confirmed_earlier", false) == earlier) some.push_back(finding);
    return some;
  }
};

class VerdictMemory : public ToolTest {
 protected:
  void build(const std::string& source, const std::string& options = "") const {
    write("program.cpp", source);
    const ToolResult built = shell("heddle c++ -g -O1 -pthread " + options + " program.cpp -o program");
    ASSERT_EQ(built.exit_code, 0) << built.err;
  }

  Told run(const std::string& command, const std::string& arguments) const {
    std::filesystem::remove(folder_ / "result.json");
    Told told{.tool = shell("heddle " + command + " --json result.json -- ./program " + arguments),
              .result = {}};
    told.result = nlohmann::json::parse(read("result.json"), nullptr, false);
    EXPECT_TRUE(told.result.is_object()) << told.tool.err;
    return told;
  }
};

TEST_F(VerdictMemory, WhatOneInputConfirmedIsNotExecutedAgainWithAnother) {
  build(kAccount, "-DAMOUNT=1");
  for (const std::string command : {"detect", "predict"}) {
    const std::string line = command + " --store " + command;
    const Told first = run(line, "1");
    EXPECT_EQ(first.tool.exit_code, 1);
    ASSERT_EQ(first.findings(/*earlier=*/false).size(), first.result["findings"].size());
    const nlohmann::json race = first.result["findings"].at(0);
    EXPECT_EQ(race["kind"], "race");
    EXPECT_EQ(race["confirmation"], "harmful") << first.tool.err;
    std::filesystem::remove(race["schedule"].get<std::string>());

    const Told second = run(line, "2");
    EXPECT_EQ(second.tool.exit_code, 1);
    EXPECT_LT(second.result["executions"], first.result["executions"]) << second.tool.err;
    ASSERT_FALSE(second.findings(/*earlier=*/true).empty()) << second.tool.err;
    const nlohmann::json known = second.findings(/*earlier=*/true)[0];
    EXPECT_EQ(known["fingerprint"], race["fingerprint"]);
    EXPECT_EQ(known["confirmed"], true);
    EXPECT_EQ(known["confirmation"], "harmful");
    EXPECT_NE(second.tool.err.find("by `./program 1`: harmful"), std::string::npos) << second.tool.err;
    EXPECT_NE(second.tool.err.find("confirmed earlier"), std::string::npos) << second.tool.err;

    // The schedule is that of the input which confirmed it.
    const ToolResult replayed = shell("heddle replay " + known["schedule"].get<std::string>());
    EXPECT_NE(replayed.exit_code, 2) << replayed.err;
    EXPECT_EQ(replayed.out, "1 0\n") << replayed.err;
  }
}

TEST_F(VerdictMemory, WhatTheOtherInputAddsIsExecuted) {
  build(kAccount, "-DAMOUNT=1");
  run("detect", "1");
  const Told second = run("detect", "3");
  EXPECT_EQ(second.findings(/*earlier=*/true).size(), 2u) << second.tool.err;
  ASSERT_EQ(second.findings(/*earlier=*/false).size(), 2u) << second.tool.err;
  for (const nlohmann::json& finding : second.findings(/*earlier=*/false))
    EXPECT_NE(finding["message"].get<std::string>().find("visits"), std::string::npos);
}

TEST_F(VerdictMemory, DetectAndPredictShareIt) {
  build(kAccount, "-DAMOUNT=1");
  const Told detected = run("detect", "1");
  const Told predicted = run("predict", "1");
  size_t shared = 0;
  for (const nlohmann::json& one : detected.result["findings"]) {
    for (const nlohmann::json& other : predicted.findings(/*earlier=*/true)) {
      if (one["fingerprint"] != other["fingerprint"]) continue;
      ++shared;
      EXPECT_EQ(one["schedule"], other["schedule"]);
    }
  }
  EXPECT_EQ(shared, 2u) << predicted.tool.err;
}

TEST_F(VerdictMemory, IsOfOneBuildOnly) {
  build(kAccount, "-DAMOUNT=1");
  run("detect", "1");
  build(kAccount, "-DAMOUNT=2");
  EXPECT_TRUE(run("detect", "1").findings(/*earlier=*/true).empty());
  build(kAccount, "-DAMOUNT=1");
  EXPECT_EQ(run("detect", "1").findings(/*earlier=*/true).size(), 2u);
}

TEST_F(VerdictMemory, IsNotUsedIfThatIsNotWanted) {
  build(kAccount, "-DAMOUNT=1");
  const Told first = run("detect", "1");
  for (const std::string option : {"--verify-again", "--no-store", "--store elsewhere"}) {
    const Told again = run("detect " + option, "1");
    EXPECT_TRUE(again.findings(/*earlier=*/true).empty()) << option;
    EXPECT_EQ(again.result["executions"], first.result["executions"]) << option;
  }
}

TEST_F(VerdictMemory, WhatWasNotReproducedIsTriedAgain) {
  build(kHandedOver);
  const Told first = run("detect --all", "");
  const Told second = run("detect --all", "");
  for (const Told& told : {first, second}) {
    EXPECT_EQ(told.tool.exit_code, 0) << told.tool.err;
    EXPECT_EQ(told.result["not_reproduced"], 1) << told.tool.err;
  }
  EXPECT_EQ(first.result["executions"], second.result["executions"]);
}

TEST_F(VerdictMemory, IsMergedAndReplaysWhereTheProgramIsNow) {
  build(kAccount, "-DAMOUNT=1");
  ASSERT_EQ(shell("mkdir there && cp program there").exit_code, 0);
  ASSERT_EQ(shell("cd there && heddle detect -- ./program 1").exit_code, 1);
  ASSERT_EQ(shell("mv there/.heddle other && rm -r there && heddle merge other/history.db").exit_code, 0);
  const Told told = run("detect --output found/", "2");
  EXPECT_EQ(told.findings(/*earlier=*/true).size(), 2u) << told.tool.err;
  EXPECT_EQ(shell("heddle replay " + told.result["findings"].at(0)["schedule"].get<std::string>()).out,
            "1 0\n");
}

TEST_F(VerdictMemory, ThatIsLockedCostsTheMemoryButNotTheResult) {
  build(kAccount, "-DAMOUNT=1");
  ASSERT_EQ(run("detect --store store", "0").tool.exit_code, 0);
  Database other((folder_ / "store/history.db").string(), Database::Mode::kReadWrite,
                 std::chrono::milliseconds(0));
  other.execute("BEGIN IMMEDIATE");
  const Told told = run("detect --store store", "1");
  EXPECT_EQ(told.tool.exit_code, 1) << told.tool.err;
  EXPECT_EQ(told.result["findings"].size(), 2u);
  EXPECT_NE(
      told.tool.err.find("what was confirmed is not remembered: the history store/history.db is locked"),
      std::string::npos)
      << told.tool.err;
}

}  // namespace
}  // namespace heddle
