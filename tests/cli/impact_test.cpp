// `heddle impact` on a real project: what of a test is new, and what goes wrong with it.
#include <fstream>
#include <vector>

#include <nlohmann/json.hpp>

#include "git_project.h"

namespace heddle {
namespace {

// A shop with two buyers, the second of which also keeps the books.
struct Shop {
  std::string before;  // anything, before the class
  std::string take = "    std::lock_guard<std::mutex> lock(mutex_);\n    if (left_ > 0) --left_;\n";
  std::string sell =
      "    std::lock_guard<std::mutex> lock(mutex_);\n    std::lock_guard<std::mutex> till(till_);\n    "
      "++sold_;\n";
  std::string main;   // at its beginning
  std::string buyer;  // the second one's first words
  std::string end = "  return shop.left() == 0 ? 0 : 1;\n";

  std::string text() const {
    return "#include <cstdlib>\n#include <mutex>\n#include <thread>\n" + before +
           "class Shop {\n public:\n  void take() {\n" + take + "  }\n  void sell() {\n" + sell +
           "  }\n  void count() {\n    std::lock_guard<std::mutex> lock(mutex_);\n"
           "    std::lock_guard<std::mutex> till(till_);\n    sold_ = 0;\n  }\n"
           "  void ask() { ++asked_; }\n  int left() {\n"
           "    std::lock_guard<std::mutex> lock(mutex_);\n    return left_;\n  }\n\n"
           " private:\n  std::mutex mutex_;\n  std::mutex till_;\n  int left_ = 2;\n"
           "  int sold_ = 0;\n  int asked_ = 0;\n};\n"
           "int main() {\n" +
           main +
           "  Shop shop;\n  std::thread a([&] { shop.take(); shop.sell(); });\n"
           "  std::thread b([&] { " +
           buyer + "shop.take(); shop.count(); });\n  a.join();\n  b.join();\n" + end + "}\n";
  }
};

class ImpactCommand : public GitProjectTest {
 protected:
  void SetUp() override {
    GitProjectTest::SetUp();
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.20)\nproject(shop CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
          "find_package(Threads REQUIRED)\nenable_testing()\nadd_executable(buyers buyers.cpp)\n"
          "target_link_libraries(buyers Threads::Threads)\nadd_test(NAME buyers COMMAND buyers)\n");
  }
  void write_shop(const Shop& shop) const { write("buyers.cpp", shop.text()); }
  void commit_base(const Shop& shop) const {
    write_shop(shop);
    commit();
  }
  // Of the shop in the working tree.
  ToolResult impact(const std::string& test = "buyers") {
    const ToolResult told = shell("heddle impact --base main --json impact.json -- " + test);
    std::ifstream file(folder_ / "impact.json");
    json_ = nlohmann::json::parse(file, nullptr, false);
    return told;
  }
  // What was found of this kind that the base does not have.
  std::vector<nlohmann::json> new_findings(const std::string& kind) const {
    std::vector<nlohmann::json> found;
    for (const nlohmann::json& finding : json_["findings"])
      if (finding["status"] == "new" && finding["kind"] == kind) found.push_back(finding);
    return found;
  }
  void expect_replays(const nlohmann::json& finding) const {
    ASSERT_TRUE(finding.contains("schedule")) << finding;
    const ToolResult replayed = shell("heddle replay " + finding["schedule"].get<std::string>());
    EXPECT_EQ(replayed.exit_code, 1) << replayed.err;
  }

  nlohmann::json json_;
};

TEST_F(ImpactCommand, OfARemovedLockTellsTheAccessesAndTheRace) {
  commit_base({});
  write_shop({.take = "    // quicker\n    if (left_ > 0) --left_;\n"});
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 1) << told.err;
  EXPECT_NE(told.out.find("now under nothing"), std::string::npos) << told.out;
  EXPECT_NE(told.out.find(" new finding"), std::string::npos) << told.out;
  ASSERT_FALSE(json_["impacted"].empty());
  for (const nlohmann::json& one : json_["impacted"]) {
    EXPECT_EQ(one["reason"], "lockset") << one;
    EXPECT_EQ(one["site"]["file"], "buyers.cpp");
    EXPECT_EQ(one["site"]["line"], 8) << one;
  }
  EXPECT_GT(json_["accesses"], json_["impacted"].size());
  EXPECT_LT(json_["explored"], json_["explored_of"]);
  EXPECT_GT(json_["explored"], 0);

  const std::vector<nlohmann::json> races = new_findings("race");
  ASSERT_FALSE(races.empty()) << told.err;
  for (const nlohmann::json& race : races) {
    EXPECT_EQ(race["confirmed"], true);
    EXPECT_EQ(race["test"], "buyers");
    EXPECT_EQ(race["sites"][0]["file"], "buyers.cpp");
    EXPECT_EQ(race["sites"][0]["line"], 8) << race;
    expect_replays(race);
  }
  std::string command;
  for (const std::string word : json_["tests"][0]["command"]) command += " '" + word + "'";
  const ToolResult explored = shell("heddle explore --detect race --prefer impact.json --" + command);
  EXPECT_EQ(explored.exit_code, 1) << explored.err;
  EXPECT_NE(explored.err.find("race: "), std::string::npos) << explored.err;
}

TEST_F(ImpactCommand, OfASplitCriticalSectionTellsTheAtomicityViolationAndReplaysIt) {
  const std::string lock = "std::lock_guard<std::mutex> lock(mutex_);\n";
  const Shop whole{.take = "    " + lock + "    const int seen = left_;\n    left_ = seen - 1;\n"};
  commit_base(whole);
  Shop split{.take = "    int seen = 0;\n    {\n      " + lock + "      seen = left_;\n    }\n    " + lock +
                     "    left_ = seen - 1;\n"};
  write_shop(split);
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 1) << told.err;
  EXPECT_TRUE(new_findings("race").empty()) << told.err;
  const std::vector<nlohmann::json> found = new_findings("atomicity");
  ASSERT_FALSE(found.empty()) << told.err;
  EXPECT_EQ(found[0]["confirmation"], "harmful");
  EXPECT_EQ(found[0]["pattern"], 1);
  expect_replays(found[0]);
  EXPECT_TRUE(json_["tests"][0]["replayed"].empty());

  // The next change makes other steps of the failing schedule, and does not mend it.
  commit();
  split.buyer = "shop.left(); shop.left(); ";
  split.before = "int unrelated() { return 1; }\n";
  write_shop(split);
  const ToolResult still = impact();
  EXPECT_EQ(still.exit_code, 0) << still.err;
  EXPECT_NE(still.err.find("the head fails: exit-code"), std::string::npos) << still.err;
  EXPECT_NE(still.err.find("already in the base: exit-code: "), std::string::npos) << still.err;
  const nlohmann::json replayed = json_["tests"][0]["replayed"];
  ASSERT_EQ(replayed.size(), 1u) << still.err;
  EXPECT_EQ(replayed[0]["unit"], "switch");
  EXPECT_GT(replayed[0]["followed"], 0);
  EXPECT_EQ(replayed[0]["followed"], replayed[0]["of"]);

  split.take = whole.take;
  write_shop(split);
  const ToolResult mended = impact();
  EXPECT_EQ(mended.exit_code, 0) << mended.err;
  EXPECT_NE(mended.err.find("the head does not fail"), std::string::npos) << mended.err;
}

TEST_F(ImpactCommand, OfAnotherOrderOfLocksTellsTheDeadlock) {
  commit_base({});
  write_shop({.sell = "    std::lock_guard<std::mutex> till(till_);\n"
                      "    std::lock_guard<std::mutex> lock(mutex_);\n    ++sold_;\n"});
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 1) << told.err;
  EXPECT_NE(told.out.find("lock-order: "), std::string::npos) << told.out;
  const std::vector<nlohmann::json> deadlocks = new_findings("deadlock");
  ASSERT_EQ(deadlocks.size(), 1u) << told.err;
  expect_replays(deadlocks[0]);
}

// Only one buyer comes to take in the executions that are compared first, and what goes wrong fails nothing.
TEST_F(ImpactCommand, OfACheckThatIsTakenApartFromItsActTellsWhatIsPrintedThen) {
  const std::string lock = "std::lock_guard<std::mutex> lock(mutex_);";
  Shop shop{.take = "    " + lock + "\n    if (left_ > 1) --left_;\n",
            .end = "  std::printf(\"%d left\\n\", shop.left());\n"};
  shop.before = "#include <cstdio>\n";
  commit_base(shop);
  shop.take = "    bool is_there = false;\n    {\n      " + lock +
              "\n      is_there = left_ > 1;\n    }\n    if (is_there) {\n      " + lock +
              "\n      --left_;\n    }\n";
  write_shop(shop);
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 1) << told.out << told.err;
  const std::vector<nlohmann::json> found = new_findings("atomicity");
  ASSERT_FALSE(found.empty()) << told.out << told.err;
  EXPECT_EQ(found[0]["confirmation"], "harmful");
  expect_replays(found[0]);
}

// Nobody waits in the executions that are compared, so there is nothing to predict from.
TEST_F(ImpactCommand, OfANotificationTooFewTellsTheLostWakeup) {
  const auto text = [](const std::string& notify) {
    return "#include <condition_variable>\n#include <mutex>\n#include <thread>\n"
           "std::mutex mutex;\nstd::condition_variable opened;\nbool open = false;\n"
           "void enter() {\n  std::unique_lock<std::mutex> lock(mutex);\n"
           "  opened.wait(lock, [] { return open; });\n}\n"
           "int main() {\n  std::thread porter([] {\n    {\n      std::lock_guard<std::mutex> lock(mutex);\n"
           "      open = true;\n    }\n    opened." +
           notify +
           "();\n  });\n  std::thread a(enter);\n  std::thread b(enter);\n"
           "  porter.join();\n  a.join();\n  b.join();\n}\n";
  };
  write("buyers.cpp", text("notify_all"));
  commit();
  write("buyers.cpp", text("notify_one"));
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 1) << told.err;
  const std::vector<nlohmann::json> lost = new_findings("lost-wakeup");
  ASSERT_EQ(lost.size(), 1u) << told.out << told.err;
  expect_replays(lost[0]);
}

// Delayed threads find what is older than the change as well.
TEST_F(ImpactCommand, OfDelaysTellsApartWhatTheBaseHasAsWell) {
  const auto text = [](const std::string& before) {
    return "#include <condition_variable>\n#include <mutex>\n#include <thread>\n"
           "std::mutex mutex;\nstd::condition_variable opened;\nbool open = false;\nint calls = 0;\n"
           "void enter() {\n  std::unique_lock<std::mutex> lock(mutex);\n"
           "  opened.wait(lock, [] { return open; });\n}\n"
           "int main() {\n  std::thread porter([] {\n    {\n      std::lock_guard<std::mutex> "
           "lock(mutex);\n" +
           before +
           "      open = true;\n    }\n    opened.notify_one();\n  });\n  std::thread a(enter);\n"
           "  std::thread b([] { enter(); std::lock_guard<std::mutex> lock(mutex); ++calls; });\n"
           "  porter.join();\n  a.join();\n  b.join();\n}\n";
  };
  write("buyers.cpp", text(""));
  commit();
  write("buyers.cpp", text("      ++calls;\n"));
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 0) << told.out << told.err;
  EXPECT_NE(told.err.find("already in the base: lost-wakeup"), std::string::npos) << told.err;
}

// Comments, and an unrelated function before it all.
TEST_F(ImpactCommand, OfAChangeWithoutMeaningIsNone) {
  commit_base({});
  Shop same{.before = "int unrelated() { return 1; }\n"};
  same.take = "    // as before\n" + same.take;
  write_shop(same);
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_NE(told.out.find("buyers: 0 of "), std::string::npos) << told.out;
  EXPECT_TRUE(json_["findings"].empty());
  EXPECT_TRUE(json_["impacted"].empty());
  EXPECT_EQ(json_["explored"], 0);
  EXPECT_GT(json_["explored_of"], 0);
  EXPECT_EQ(json_["complete"], true) << told.err;
}

// One race is older than the change, and its accesses are impacted all the same.
TEST_F(ImpactCommand, TellsApartWhatTheBaseHasAsWell) {
  Shop shop{};
  shop.take += "    ask();\n";
  shop.buyer = "shop.ask(); ";
  commit_base(shop);
  shop.take = "    if (left_ > 0) --left_;\n    ask();\n";
  write_shop(shop);
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 1) << told.err;
  EXPECT_NE(told.err.find("already in the base: race: "), std::string::npos) << told.err;
  bool has_known = false;
  for (const nlohmann::json& finding : json_["findings"]) {
    if (finding["kind"] != "race") continue;  // what else is found may have to do with both
    const bool is_old = finding["sites"][0]["function"] == "Shop::ask";
    EXPECT_EQ(finding["status"], is_old ? "known" : "new") << finding;
    has_known |= is_old;
  }
  EXPECT_TRUE(has_known);
  EXPECT_FALSE(new_findings("race").empty());
}

// The second buyer finds two only if it comes first, and seven never.
TEST_F(ImpactCommand, UnderFurtherSchedulesReachesMoreOfTheChange) {
  Shop shop;
  commit_base(shop);
  shop.buyer = "if (shop.left() == 2) { std::abort(); }\n if (shop.left() == 7) {\n shop.take(); }\n";
  write_shop(shop);
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 1) << told.err;
  const std::vector<nlohmann::json> crashes = new_findings("crash");
  ASSERT_EQ(crashes.size(), 1u) << told.err;
  expect_replays(crashes[0]);
  EXPECT_NE(told.out.find("buyers: "), std::string::npos) << told.out;
  EXPECT_NE(told.err.find("warning: buyers under "), std::string::npos) << told.err;
  EXPECT_GT(json_["tests"][0]["schedules"], 1);
  EXPECT_NE(told.err.find("were not reached, so nothing is known of them: buyers.cpp:"), std::string::npos)
      << told.err;
  EXPECT_EQ(json_["tests"][0]["unreached"].size(), 1u) << json_["tests"];

  const ToolResult one = shell("heddle impact --base main --schedules 0 -- buyers");
  EXPECT_EQ(one.exit_code, 2) << one.err;
}

TEST_F(ImpactCommand, OfAHeadThatCrashesBeforeItsFirstThreadTellsTheCrash) {
  commit_base({});
  write_shop({.main = "  std::abort();\n"});
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 1) << told.err;
  EXPECT_NE(told.err.find("buyers fails on the head"), std::string::npos) << told.err;
  ASSERT_EQ(json_["findings"].size(), 1u) << told.err;
  EXPECT_EQ(json_["findings"][0]["status"], "new");
  EXPECT_EQ(json_["findings"][0]["confirmation"], "executed");
  expect_replays(json_["findings"][0]);

  // The base does so, too.
  commit();
  const Shop changed{.before = "int unrelated() { return 1; }\n", .main = "  std::abort();\n"};
  write_shop(changed);
  const ToolResult known = impact();
  EXPECT_EQ(known.exit_code, 0) << known.err;
  EXPECT_NE(known.err.find("already in the base: "), std::string::npos) << known.err;
}

TEST_F(ImpactCommand, OfATestThatNeverDoesTheSameSaysWhereItBegins) {
  Shop shop{.before =
                "#include <fstream>\nint runs() {\n  int n = 0;\n  std::ifstream(\"runs\") >> n;\n"
                "  std::ofstream(\"runs\") << n + 1;\n  return n;\n}\n"};
  shop.take += "    ask();\n";
  shop.buyer = "for (int i = runs(); i > 0; --i) shop.take(); ";
  commit_base(shop);
  shop.main = "  // the same\n";
  write_shop(shop);
  const ToolResult told = impact();
  EXPECT_NE(told.err.find("warning: buyers does something else each time it is executed on the head"),
            std::string::npos)
      << told.err;
  EXPECT_NE(told.err.find("The first difference is event "), std::string::npos) << told.err;
  EXPECT_EQ(json_["complete"], false);
}

TEST_F(ImpactCommand, OfTestsThatOneVersionDoesNotHave) {
  commit_base({});
  const ToolResult unknown = impact("sellers");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("there is no test sellers"), std::string::npos) << unknown.err;
  // Before anything is executed.
  EXPECT_EQ(impact("buyers sellers").out, "");
  EXPECT_EQ(shell("heddle impact --base main").exit_code, 2);
  EXPECT_EQ(shell("heddle impact --base main --units nonsense -- buyers").exit_code, 2);
  const ToolResult empty = shell("heddle impact --base main --head '' -- buyers");
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_NE(empty.err.find("leave --head out"), std::string::npos) << empty.err;

  // Only the head has it, and it fails there.
  run("sed -i '$a add_test(NAME anew COMMAND buyers twice)' CMakeLists.txt");
  write_shop({.end = "  return 7;\n"});
  const ToolResult anew = impact("anew");
  EXPECT_EQ(anew.exit_code, 1) << anew.err;
  EXPECT_NE(anew.err.find("anew is new"), std::string::npos) << anew.err;
  EXPECT_NE(anew.err.find("fails on the head (exit-code"), std::string::npos) << anew.err;
  EXPECT_EQ(new_findings("exit-code").size(), 1u) << anew.err;

  // Only the base has it: the others are looked into.
  commit();
  run("sed -i '/anew/d' CMakeLists.txt");
  const ToolResult gone = impact("anew buyers");
  EXPECT_EQ(gone.exit_code, 2) << gone.err;
  EXPECT_NE(gone.err.find("anew is passed over: the test anew is not in the working tree, only in main"),
            std::string::npos)
      << gone.err;
  EXPECT_NE(gone.out.find("buyers: 0 of "), std::string::npos) << gone.out;
  EXPECT_EQ(json_["complete"], false);
}

// What the compiler makes of them has no block of its own, so nobody knows whether they are executed.
TEST_F(ImpactCommand, NamesNoLineAsUnreachedThatCannotShowIt) {
  commit_base({});
  Shop shop{.before =
                "volatile int asked = 3;\nint most(int n) {\n  int m = n;\n  if (n > 2)\n    m = 2;\n"
                "  for (int i = 0; i < 3; ++i) {\n    if (i == 1)\n      continue;\n    m += i;\n  }\n"
                "  if (n == 77)\n    asked = 4;\n  return m;\n}\n"};
  shop.buyer = "most(asked); ";
  write_shop(shop);
  const ToolResult told = impact();
  EXPECT_EQ(told.exit_code, 0) << told.err;
  std::vector<int> lines;
  for (const nlohmann::json& place : json_["tests"][0]["unreached"]) lines.push_back(place["line"]);
  // `asked = 4`; `m = 2` and the loop were executed.
  EXPECT_EQ(lines, std::vector<int>{15}) << told.err;
}

// Compiles a shop in a folder of its own and records its execution.
class ImpactOfTraces : public ImpactCommand {
 protected:
  void record(const std::string& version, const Shop& shop) const {
    run("mkdir " + version);
    write(version + "/buyers.cpp", shop.text());
    run("cd " + version + " && heddle c++ -std=c++20 -g -pthread buyers.cpp -o buyers");
    record_command(version, version + "/buyers");
  }
  void record_command(const std::string& version, const std::string& command) const {
    const ToolResult told = shell("heddle predict --no-confirm --record " + version + ".trace -- " + command);
    EXPECT_LE(told.exit_code, 1) << told.err;
  }
  ToolResult impact_of(const std::string& arguments) {
    const ToolResult told = shell("heddle impact --json impact.json " + arguments);
    std::ifstream file(folder_ / "impact.json");
    json_ = nlohmann::json::parse(file, nullptr, false);
    return told;
  }
};

TEST_F(ImpactOfTraces, WithADiffIsThatOfTheChange) {
  record("old", {});
  record("new", {.before = "int unrelated() { return 1; }\n", .take = "    if (left_ > 0) --left_;\n"});
  shell("diff -u --label a/buyers.cpp --label b/buyers.cpp old/buyers.cpp new/buyers.cpp >change.diff");
  const ToolResult told = impact_of("--map change.diff old.trace new.trace");
  EXPECT_EQ(told.exit_code, 1) << told.err;
  ASSERT_FALSE(json_["impacted"].empty()) << told.err;
  for (const nlohmann::json& one : json_["impacted"]) EXPECT_EQ(one["reason"], "lockset") << one;
  ASSERT_FALSE(new_findings("race").empty()) << told.err;
  EXPECT_EQ(new_findings("race")[0]["confirmation"], "predicted");
  EXPECT_LT(json_["explored"], json_["explored_of"]);

  const ToolResult same = impact_of("old.trace old.trace");
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_TRUE(json_["impacted"].empty());
}

TEST_F(ImpactOfTraces, TellsApartWhatBothCanDo) {
  Shop shop;
  shop.take += "    ask();\n";
  shop.buyer = "shop.ask(); ";
  record("old", shop);
  shop.take = "    if (left_ > 0) --left_;\n    ask();\n";
  record("new", shop);
  shell("diff -u --label a/buyers.cpp --label b/buyers.cpp old/buyers.cpp new/buyers.cpp >change.diff");
  const ToolResult told = impact_of("--map change.diff old.trace new.trace");
  EXPECT_EQ(told.exit_code, 1) << told.err;
  EXPECT_NE(told.err.find("already in the base: race: "), std::string::npos) << told.err;
  for (const nlohmann::json& race : new_findings("race"))
    EXPECT_EQ(race["sites"][0]["function"], "Shop::take") << race;
}

TEST_F(ImpactOfTraces, OfDifferentTestsIsRefused) {
  record("old", {});
  record_command("other", "old/buyers twice");
  const ToolResult told = impact_of("old.trace other.trace");
  EXPECT_EQ(told.exit_code, 2);
  EXPECT_NE(told.err.find("these are traces of different tests"), std::string::npos) << told.err;
  EXPECT_EQ(impact_of("old.trace").exit_code, 2);
  EXPECT_EQ(impact_of("old.trace other.trace -- buyers").exit_code, 2);
  EXPECT_EQ(impact_of("--map missing.diff old.trace old.trace").exit_code, 2);
  write("bad.diff", "@@ nonsense @@\n");
  EXPECT_EQ(impact_of("--map bad.diff old.trace old.trace").exit_code, 2);
  write("bad.diff", "no diff\nat all\n");
  EXPECT_NE(impact_of("--map bad.diff old.trace old.trace").err.find("this is no unified diff"),
            std::string::npos);
  // The same program in another folder, and nobody says what corresponds to what.
  run("cp old.trace saved.trace && mv old elsewhere && cd elsewhere && heddle c++ -std=c++20 -g -pthread "
      "buyers.cpp -o buyers");
  record_command("moved", "elsewhere/buyers");
  const ToolResult moved = impact_of("saved.trace moved.trace");
  EXPECT_EQ(moved.exit_code, 2);
  EXPECT_NE(moved.err.find("the two traces have no line of source in common"), std::string::npos)
      << moved.err;
}

}  // namespace
}  // namespace heddle
