// `heddle check` and `heddle init` on small git projects, as a user has them.
#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

constexpr const char* kCounterLists =
    "cmake_minimum_required(VERSION 3.16)\n"
    "project(counter CXX)\n"
    "enable_testing()\n"
    "find_package(Threads REQUIRED)\n"
    "add_executable(counter_test counter_test.cpp)\n"
    "target_link_libraries(counter_test Threads::Threads)\n"
    "add_test(NAME two_threads COMMAND counter_test)\n";

// `guard` is what protects the counter, `more` what else the test does.
std::string counter_test(const std::string& guard, const std::string& more = "") {
  return "#include <cassert>\n#include <mutex>\n#include <thread>\n"
         "std::mutex mutex;\nint counter = 0;\n"
         "void add() {\n  " +
         guard +
         "\n  counter = counter + 1;\n}\n"
         "int main() {\n  std::thread one(add);\n  std::thread two(add);\n  one.join();\n  two.join();\n  " +
         more + "\n}\n";
}
const std::string kGuarded = counter_test("std::lock_guard guard(mutex);");
const std::string kRacy = counter_test("");

class CheckCommand : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    git("init -q -b main . && git config user.email a@b && git config user.name a && git config "
        "commit.gpgsign false");
    write("CMakeLists.txt", kCounterLists);
  }

  void git(const std::string& words) {
    const ToolResult result = shell("git " + words);
    ASSERT_EQ(result.exit_code, 0) << words << result.err;
  }
  void commit(const std::string& test) {
    write("counter_test.cpp", test);
    git("add CMakeLists.txt counter_test.cpp && git commit -q -m next");
  }
  ToolResult check(const std::string& options) const {
    return shell("heddle check --seeds 5 --json result.json " + options);
  }
  nlohmann::json json() const { return nlohmann::json::parse(read("result.json"), nullptr, false); }
};

TEST_F(CheckCommand, TellsARaceThatTheChangeAdds) {
  commit(kGuarded);
  commit(kRacy);
  const ToolResult result = check("--base HEAD~1 --head HEAD");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const nlohmann::json told = json();
  // A write with a write, and with a read, of the same variable in the same functions.
  EXPECT_EQ(told["new"], 1) << result.err;
  ASSERT_EQ(told["findings"].size(), 1u) << result.err;
  EXPECT_EQ(told["findings"][0]["kind"], "race");
  EXPECT_EQ(told["findings"][0]["status"], "new");
  EXPECT_EQ(told["tests"], 1);
  const std::string replay = "heddle replay " + told["findings"][0]["schedule"].get<std::string>();
  EXPECT_EQ(shell(replay).exit_code, 1);
  // Of another build it says which one is meant.
  const ToolResult other = shell(replay + " -- .heddle/builds/slot-0/build/counter_test");
  EXPECT_EQ(other.exit_code, 2) << other.err;
  const std::string commit_of_head = told["head"]["commit"].get<std::string>().substr(0, 12);
  EXPECT_NE(other.err.find("another build"), std::string::npos) << other.err;
  EXPECT_NE(other.err.find("; found in " + commit_of_head + "; build that revision again"), std::string::npos)
      << other.err;

  // What was built is not built again.
  EXPECT_EQ(check("--base HEAD~1 --head HEAD").exit_code, 1);
  EXPECT_EQ(json()["base"]["build_cached"], true);
  EXPECT_EQ(json()["head"]["build_cached"], true);

  // The other way round, the race is fixed.
  EXPECT_EQ(check("--base HEAD --head HEAD~1").exit_code, 0);
}

TEST_F(CheckCommand, ARaceThatTheBaseHasIsKnown) {
  commit(kRacy);
  write("counter_test.cpp", "// A comment.\n" + kRacy);
  const std::string before = shell("git status --porcelain --untracked-files=all").out;
  const ToolResult result = check("--base main --all-tests --output found/");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json()["known"], 1) << result.err;
  EXPECT_EQ(json()["head"]["working_tree"], true);
  shell("rm -rf result.json");
  EXPECT_EQ(shell("git status --porcelain --untracked-files=all").out, before);
}

TEST_F(CheckCommand, ATestThatFailsInBothIsKnownAndOneThatFailsNowIsNew) {
  commit(counter_test("std::lock_guard guard(mutex);", "assert(counter == 3);"));
  write("counter_test.cpp", counter_test("std::lock_guard guard(mutex);", "assert(counter == 3); // still"));
  EXPECT_EQ(check("--base main").exit_code, 0);
  EXPECT_EQ(json()["known"], 1);
  commit(kGuarded);
  write("counter_test.cpp", counter_test("std::lock_guard guard(mutex);", "assert(counter == 3);"));
  EXPECT_EQ(check("--base main").exit_code, 1);
  EXPECT_EQ(json()["findings"][0]["kind"], "assertion");
}

TEST_F(CheckCommand, ABaseThatDoesNotBuildIsSaidInTheCompilersWordsAndTheHeadIsTriedAlone) {
  commit("int main() { return no_such_name; }\n");
  commit(kRacy);
  const ToolResult result = check("--base HEAD~1 --head HEAD");
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_NE(result.err.find("HEAD~1 does not build"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("counter_test.cpp.o"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("no_such_name"), std::string::npos) << result.err;
  EXPECT_NE(
      result.err.find("HEAD alone, since HEAD~1 does not build: 1 test tried in 6 executions, 1 finding "
                      "that nobody can call new or known"),
      std::string::npos)
      << result.err;
  const nlohmann::json told = json();
  EXPECT_NE(told["error"].get<std::string>().find("no_such_name"), std::string::npos);
  EXPECT_EQ(told["complete"], false);
  EXPECT_EQ(told["new"], 0);
  ASSERT_EQ(told["findings"].size(), 1u) << result.err;
  EXPECT_EQ(told["findings"][0]["status"], "unknown");
  EXPECT_EQ(shell("heddle replay " + told["findings"][0]["schedule"].get<std::string>()).exit_code, 1);

  // If neither builds, both are told.
  write("counter_test.cpp", "int main() { return no_other_name; }\n");
  const ToolResult neither = check("--base HEAD~1");
  EXPECT_EQ(neither.exit_code, 2) << neither.err;
  EXPECT_NE(neither.err.find("no_such_name"), std::string::npos) << neither.err;
  EXPECT_NE(neither.err.find("no_other_name"), std::string::npos) << neither.err;
}

TEST_F(CheckCommand, ATestThatCrashesInBothHidesNoRaceAndOneThatIsGoneIsNamed) {
  const std::string crash = "return *reinterpret_cast<volatile int*>(8);";
  write("CMakeLists.txt", std::string(kCounterLists) + "add_test(NAME other COMMAND counter_test 1)\n");
  commit(counter_test("std::lock_guard guard(mutex);", crash));
  EXPECT_EQ(shell("heddle record").exit_code, 1);
  write("CMakeLists.txt", kCounterLists);
  write("counter_test.cpp", counter_test("", crash));
  const ToolResult result = check("--base main --no-generate");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_EQ(json()["known"], 1) << result.err;
  EXPECT_EQ(json()["new"], 1) << result.err;
  EXPECT_NE(result.err.find("known: crash: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("new: race: "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find(" 1 of 1 test selected\n"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("1 test of main gone in the working tree: other"), std::string::npos)
      << result.err;
  EXPECT_EQ(json()["gone"][0], "other");
  // Also if nothing else has changed.
  write("counter_test.cpp", counter_test("std::lock_guard guard(mutex);", crash));
  const ToolResult selected = shell("heddle select --base main");
  EXPECT_EQ(selected.exit_code, 0) << selected.err;
  EXPECT_NE(selected.err.find("gone with this change: 1 test, other"), std::string::npos) << selected.err;
}

// Compilers and CMake have their own words for it, most of which say something else.
TEST_F(CheckCommand, AFullDiskIsSaid) {
  commit(kGuarded);
  const std::string on_small_disk = "mkdir -p small && unshare -rm sh -c 'mount -t tmpfs -o size=";
  if (shell(on_small_disk + "100k none small'").exit_code != 0)
    GTEST_SKIP() << "no file system can be mounted";
  const ToolResult build =
      shell(on_small_disk + "200k none small && heddle check --base main --store small/s'");
  EXPECT_EQ(build.exit_code, 2) << build.err;
  EXPECT_NE(build.err.find("does not build"), std::string::npos) << build.err;
  EXPECT_NE(build.err.find("the disk is full: "), std::string::npos) << build.err;
  // The history is there, and what it needs beside it finds no room.
  const ToolResult history =
      shell(on_small_disk +
            "3m none small && heddle record --store small/s && "
            "{ cat /dev/zero >small/rest; heddle check --base main --store small/s; }'");
  EXPECT_EQ(history.exit_code, 2) << history.err;
  EXPECT_NE(history.err.find("there is no room on the disk for the history"), std::string::npos)
      << history.err;
}

TEST_F(CheckCommand, ProjectsWithABuildOfTheirOwn) {
  write("heddle.toml",
        "[build]\ncommands = [\"$CXX -O1 -pthread counter_test.cpp -o $HEDDLE_BUILD_DIR/ct\"]\n"
        "[tests]\ncommands = [\"sh -c 'exec no'\", \"./ct\"]\n");
  commit(kGuarded);
  git("add heddle.toml && git commit -q -m toml");
  commit(kRacy);
  const ToolResult none = check("--base HEAD~1 --head HEAD");
  EXPECT_EQ(none.exit_code, 2) << none.err;  // nothing of it exists in the sources
  write("heddle.toml",
        "[build]\ncommands = [\"$CXX -O1 -pthread counter_test.cpp -o ct\"]\n"
        "[tests]\ncommands = [\"./missing\", \"./ct\"]\n");
  const ToolResult result = check("--base HEAD~1 --head HEAD");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("./missing cannot be tried"), std::string::npos) << result.err;
}

TEST_F(CheckCommand, BadInput) {
  commit(kGuarded);
  const ToolResult unknown = check("--base nowhere");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("git knows no revision 'nowhere'"), std::string::npos) << unknown.err;
  write("heddle.toml", "[build]\nflag = \"-O1\"\n");
  const ToolResult key = check("--base main");
  EXPECT_EQ(key.exit_code, 2);
  EXPECT_NE(key.err.find("heddle.toml:2: unknown key 'flag' in [build]"), std::string::npos) << key.err;
  write("heddle.toml", "[build\n");
  EXPECT_NE(check("--base main").err.find("heddle.toml:1: "), std::string::npos);
  shell("rm -rf .git heddle.toml");
  const ToolResult outside = shell("GIT_CEILING_DIRECTORIES=\"${PWD%/*}\" heddle check --base main");
  EXPECT_EQ(outside.exit_code, 2) << outside.err;
  EXPECT_NE(outside.err.find("is not in a git repository"), std::string::npos) << outside.err;
}

TEST_F(CheckCommand, AProjectWithoutTestsIsSaid) {
  write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(nothing NONE)\nenable_testing()\n");
  write("counter_test.cpp", "");
  git("add . && git commit -q -m nothing");
  const ToolResult result = check("--base main");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("CTest knows no test of this build"), std::string::npos) << result.err;
}

TEST_F(CheckCommand, InitWritesDefaultsAndNothingElse) {
  commit(kGuarded);
  EXPECT_EQ(shell("heddle init").exit_code, 0);
  EXPECT_NE(read("heddle.toml").find("[tests]"), std::string::npos);
  EXPECT_EQ(shell("heddle init").exit_code, 2);
}

}  // namespace
}  // namespace heddle
