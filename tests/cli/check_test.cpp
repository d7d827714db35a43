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
  EXPECT_EQ(shell("heddle replay " + told["findings"][0]["schedule"].get<std::string>()).exit_code, 1);

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
  const ToolResult result = check("--base main --output found/");
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

TEST_F(CheckCommand, ABaseThatDoesNotBuildIsSaidInTheCompilersWords) {
  commit("int main() { return no_such_name; }\n");
  commit(kGuarded);
  const ToolResult result = check("--base HEAD~1 --head HEAD");
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_NE(result.err.find("HEAD~1 does not build"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("counter_test.cpp.o"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("no_such_name"), std::string::npos) << result.err;
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
