// All stages of `heddle check`, on the change that examples/bank comes with: what it finds, that it goes on
// after it was killed, and that its work can be shared out. One project and its builds serve all of it.
#include <filesystem>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class CheckStages : public ToolTest {
 protected:
  void SetUp() override {
    folder_ = project();
    set_root(folder_.parent_path());
    if (fs::exists(folder_)) return;
    fs::create_directory(folder_);
    run("cp " HEDDLE_EXAMPLES
        "/bank/* . && git init -q -b main . && git config user.email a@b && git config user.name a && "
        "git config commit.gpgsign false && printf '.out\\n.err\\n*.json\\n' >>.git/info/exclude && "
        "git add -A . && git commit -q -m base && git apply next.patch && git commit -q -a -m next");
  }
  void TearDown() override {}
  static void SetUpTestSuite() { fs::remove_all(project()); }
  static void TearDownTestSuite() { fs::remove_all(project()); }
  static fs::path project() { return fs::canonical(::testing::TempDir()) / "heddle_cli_CheckStages"; }

  void run(const std::string& line) const {
    const ToolResult result = shell(line);
    ASSERT_EQ(result.exit_code, 0) << line << result.err;
  }
  static std::string command(const std::string& options, const std::string& json = "result.json",
                             const std::string& budget = "60s") {
    return "heddle check --base main~1 --head main --no-generate --budget " + budget + " --json " + json +
           " " + options;
  }
  ToolResult check(const std::string& options = "") const {
    shell("rm -f result.json");
    return shell(command(options));
  }
  Json json(const std::string& file = "result.json") const {
    return Json::parse(read(file), nullptr, /*allow_exceptions=*/false);
  }
  static std::multiset<std::string> kinds(const Json& told) {
    std::multiset<std::string> kinds;
    for (const Json& finding : told["findings"]) kinds.insert(finding["kind"].get<std::string>());
    return kinds;
  }
  static std::set<std::string> fingerprints(const Json& told) {
    std::set<std::string> all;
    for (const Json& finding : told["findings"]) all.insert(finding["fingerprint"].get<std::string>());
    return all;
  }
  static Json stage(const Json& told, const std::string& name) {
    for (const Json& one : told["pipeline"])
      if (one["name"] == name) return one;
    return {};
  }
  // Forgets all that was found out, but not the builds.
  void forget() const { run("rm -rf .heddle/history.db* .heddle/failures"); }
};

TEST_F(CheckStages, FindsWhatAChangeBreaksAndKnowsItTheNextTime) {
  const ToolResult first = check();
  EXPECT_EQ(first.exit_code, 1) << first.err;
  const Json told = json();
  const std::multiset<std::string> found = kinds(told);
  for (const std::string kind : {"race", "deadlock", "atomicity", "crash"})
    EXPECT_EQ(found.count(kind), 1u) << kind << first.err;
  EXPECT_EQ(told["new"], told["findings"].size());
  EXPECT_EQ(told["selection_made"], true);
  EXPECT_EQ(stage(told, "record")["own"]["recorded"], 4) << told["pipeline"];
  for (const Json& finding : told["findings"]) {
    EXPECT_EQ(finding["status"], "new");
    if (finding["kind"] == "crash") {
      EXPECT_NE(finding["message"].get<std::string>().find("together"), std::string::npos) << finding;
      continue;
    }
    EXPECT_EQ(shell("heddle replay " + finding["schedule"].get<std::string>()).exit_code, 1) << finding;
  }

  // Nothing is looked into again, and the verdict is the same.
  const ToolResult second = check();
  EXPECT_EQ(second.exit_code, 1) << second.err;
  const Json again = json();
  EXPECT_EQ(fingerprints(again), fingerprints(told)) << second.err;
  EXPECT_EQ(stage(again, "record")["reused"], 4);
  EXPECT_EQ(stage(again, "impact")["reused"], 3);
  EXPECT_EQ(stage(again, "interact")["reused"], 1);
  EXPECT_GT(stage(again, "replay")["own"]["replayed"], 0) << again["pipeline"];
}

TEST_F(CheckStages, GoesOnAfterItWasKilledInAnyStage) {
  forget();
  for (const std::string at : {"recording what", "looking for the tests", "making up inputs"}) {
    const ToolResult killed =
        shell("mkfifo told; sh -c 'echo $$ >pid; exec " + command("2>told") +
              "' & while read -r line; do case $line in *'" + at +
              "'*) kill -9 $(cat pid); break ;; esac; done <told; wait $!; code=$?; rm told; exit $code");
    EXPECT_EQ(killed.exit_code, 128 + 9) << at << killed.err;
  }
  const ToolResult result = check();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const Json told = json();
  EXPECT_EQ(told["complete"], true) << told["pipeline"];
  EXPECT_EQ(stage(told, "record")["reused"], 4);
  EXPECT_EQ(stage(told, "impact")["reused"], 3);
  EXPECT_EQ(kinds(told).count("deadlock"), 1u) << result.err;
}

TEST_F(CheckStages, ShardsFindTogetherWhatOneFinds) {
  ASSERT_EQ(check().exit_code, 1);
  const std::set<std::string> all = fingerprints(json());
  EXPECT_EQ(shell(command("--shard 1/2", "one.json")).exit_code, 1);
  EXPECT_EQ(shell(command("--shard 2/2", "other.json")).exit_code, 1);
  const Json one = json("one.json");
  const Json other = json("other.json");
  EXPECT_EQ(one["tests"].get<int>() + other["tests"].get<int>(), 4);
  EXPECT_LT(fingerprints(one).size(), all.size());
  const ToolResult merged = shell("heddle merge one.json other.json --json all.json");
  EXPECT_EQ(merged.exit_code, 1) << merged.err;
  EXPECT_EQ(fingerprints(json("all.json")), all) << merged.err;
  EXPECT_EQ(json("all.json")["new"], all.size());
  EXPECT_EQ(check("--shard 3/2").exit_code, 2);
  EXPECT_EQ(shell("heddle merge one.json CMakeLists.txt").exit_code, 2);
}

TEST_F(CheckStages, TwoAtOnceComeToTheSame) {
  forget();
  const ToolResult both =
      shell(command("2>/dev/null", "one.json") + " & " + command("2>/dev/null", "other.json") +
            "; code=$?; wait $! && exit 9; exit $code");
  EXPECT_EQ(both.exit_code, 1) << both.err;
  EXPECT_EQ(fingerprints(json("one.json")), fingerprints(json("other.json")));
}

TEST_F(CheckStages, ASecondIsKeptAndWhatItDidNotReachIsSaid) {
  forget();
  const ToolResult result = shell(command("", "result.json", "1s"));
  EXPECT_LE(result.exit_code, 1) << result.err;
  const Json told = json();
  ASSERT_TRUE(told.contains("pipeline")) << result.err;
  for (const Json& one : told["pipeline"]) EXPECT_LE(one.value("share_seconds", 0.0), 1.0) << one;
}

TEST_F(CheckStages, AChangeWithoutMeaningEndsAtOnceAndSaysWhy) {
  run("git checkout -q -b comment main && echo '// A remark.' >>ledger.cpp && git commit -q -a -m remark");
  const ToolResult result = shell(
      "heddle check --base main --head comment --json result.json; code=$?; git checkout -q main; exit "
      "$code");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json told = json();
  for (const std::string name : {"replay", "impact", "interact", "generate"})
    EXPECT_NE(stage(told, name)["idle"], "") << told["pipeline"];
  EXPECT_EQ(told["tests"], 0);
  EXPECT_NE(result.err.find("has another meaning"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace heddle
