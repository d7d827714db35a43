// `heddle check` and what it leaves behind: builds that are used again, schedules, an interruption.
#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

// A git project with a build of its own: program `t` of t.cpp, and tests that are words of heddle.toml.
class CheckProject : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    folder_ /= "project";
    std::filesystem::create_directories(folder_.parent_path() / "w");
    std::filesystem::create_directory(folder_);
    run("git init -q -b main . && git config user.email a@b && git config user.name a && "
        "git config commit.gpgsign false && printf '.out\\n.err\\n' >>.git/info/exclude");
    write_project("\"./t\"");
  }
  void TearDown() override {
    folder_ = folder_.parent_path();
    ToolTest::TearDown();
  }
  void run(const std::string& line) const {
    const ToolResult result = shell(line);
    ASSERT_EQ(result.exit_code, 0) << line << result.err;
  }
  void commit() const { run("git add -A . && git reset -q -- result.json && git commit -q -m next"); }
  void write_project(const std::string& tests,
                     const std::string& build = "$CXX -O1 -pthread t.cpp -o t") const {
    write("heddle.toml", "[build]\ncommands = [\"" + build + "\"]\n[tests]\ncommands = [" + tests + "]\n");
  }
  // Two threads that do `work`, then what main does.
  void write_program(const std::string& work, const std::string& then, const std::string& before = "") const {
    write("t.cpp",
          "#include <cstdio>\n#include <mutex>\n#include <thread>\nstd::mutex mutex;\nint counter;\nint "
          "other;\n" +
              before + "void add() {\n  " + work + "\n}\nint main(int argc, char**) {\n  (void)argc;\n" +
              "  std::thread a(add);\n  std::thread b(add);\n  a.join();\n  b.join();\n  " + then + "\n}\n");
  }
  ToolResult check(const std::string& options) const {
    return shell("heddle check --seeds 5 --json result.json " + options);
  }
  nlohmann::json json() const { return nlohmann::json::parse(read("result.json"), nullptr, false); }
};

const std::string kRace = "counter = counter + 1;";
const std::string kSafe = "std::lock_guard guard(mutex);\n  counter = counter + 1;";

TEST_F(CheckProject, LeavesNothingInTheTreeThatTheNextCheckWouldSee) {
  write_program(kSafe, "return 0;");
  commit();
  write_program(kRace, "return 0;");
  const ToolResult first = check("--base main");
  EXPECT_EQ(first.exit_code, 1) << first.err;
  ASSERT_EQ(json()["findings"].size(), 1u) << first.err;
  const nlohmann::json finding = json()["findings"][0];
  EXPECT_EQ(finding["schedule"].get<std::string>().find((folder_ / ".heddle/failures/").string()), 0u)
      << finding;
  EXPECT_EQ(finding["test"], "./t");
  EXPECT_EQ(finding["sites"][0]["file"], "t.cpp");
  EXPECT_NE(first.err.find("new: race: "), std::string::npos) << first.err;
  // The result lies in the tree, but is not part of it; nor is a schedule.
  run("cp .heddle/failures/*.schedule .");
  EXPECT_EQ(check("--base main --output ../w/new/folder").exit_code, 1);
  EXPECT_EQ(json()["head"]["build_cached"], true);
  EXPECT_TRUE(std::filesystem::is_directory(folder_ / "../w/new/folder"));
  EXPECT_EQ(json()["findings"].size(), 1u);
  EXPECT_EQ(shell("heddle replay ../w/new/folder/*.schedule").exit_code, 1);
  // What changes nothing that is built is no other build.
  run("rm *.schedule");
  write("heddle.toml", read("heddle.toml") + "timeout = 30\n");
  commit();
  EXPECT_EQ(check("--base HEAD~1").exit_code, 1);
  EXPECT_EQ(json()["head"]["build_cached"], true);
  EXPECT_EQ(json()["base"]["build_cached"], true);
  // All commands find the history of the project.
  run("mkdir -p sub && cd sub && heddle history show >../../w/shown && heddle history export "
      "../../w/exported");
  EXPECT_NE(read("../w/shown").find("./t: "), std::string::npos) << read("../w/shown");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "sub/.heddle"));
}

TEST_F(CheckProject, AFailureIsKnownOnlyIfItIsTheSame) {
  write_program(kSafe, "return 1;");
  commit();
  write_program(
      "int seen;\n  { std::lock_guard guard(mutex); seen = counter; }\n"
      "  { std::lock_guard guard(mutex); counter = seen + 1; }",
      "return counter == 2 ? 0 : 1;");
  const ToolResult sometimes = shell("heddle check --seeds 30 --json result.json --base main");
  EXPECT_EQ(sometimes.exit_code, 1) << sometimes.err;
  EXPECT_EQ(json()["findings"][0]["kind"], "exit-code") << sometimes.err;
  EXPECT_EQ(json()["known"], 0) << sometimes.err;
  // The same failure of another text.
  commit();
  write_program(kSafe, "return 1;  // still", "// A comment.\n");
  run("git stash -q && git checkout -q HEAD~1 && git stash pop -q || git checkout -q --theirs t.cpp");
  write_program(kSafe, "return 1;  // still", "// A comment.\n");
  const ToolResult same = check("--base HEAD");
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(json()["known"], 1) << same.err;
  EXPECT_NE(same.err.find("known: exit-code: "), std::string::npos) << same.err;
  // Its history is known by now, but not how it is compiled.
  EXPECT_NE(same.err.find("so all count: the build of HEAD leaves no compile_commands.json"),
            std::string::npos)
      << same.err;
  // Other words, another failure.
  write_program(kSafe, "std::puts(\"t.cpp:3: Failure: no apples\"); return 1;");
  const ToolResult words = check("--base HEAD");
  EXPECT_EQ(words.exit_code, 1) << words.err;
  EXPECT_NE(json()["findings"][0]["message"].get<std::string>().find("no apples"), std::string::npos);
  EXPECT_NE(words.err.find("What the test says:"), std::string::npos) << words.err;
  // The assertion that fails is one that stands in another line, and is the same.
  write_program(kSafe, "std::puts(\"t.cpp:3: Failure: no apples\"); return 1;");
  commit();
  write_program(kSafe, "std::puts(\"t.cpp:4: Failure: no pears\"); return 1;");
  write("t.cpp", "// One line more.\n" + read("t.cpp"));
  EXPECT_EQ(check("--base HEAD").exit_code, 0);
  EXPECT_EQ(json()["known"], 1);
}

// As with a full disk: a folder cannot be made where a file is.
TEST_F(CheckProject, AFindingIsToldIfItsScheduleCannotBeKept) {
  write_program(kSafe, "return 0;");
  commit();
  write_program("++counter;", "return 0;");
  run("mkdir -p .heddle && echo taken >.heddle/failures");
  const ToolResult result = check("--base HEAD");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_NE(result.err.find("cannot make folder "), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("new: race: "), std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("schedules to replay"), std::string::npos) << result.err;
  EXPECT_EQ(json()["new"], 1) << result.err;
}

TEST_F(CheckProject, NamesOfLocalsAndPairsOfAccessesMakeNoOtherFinding) {
  const std::string main_of =
      "#include <thread>\nstruct Account { int balance = 0; void pay() { balance += 1; } };\n"
      "int main() {\n  Account NAME;\n  std::thread a([&] { NAME.pay(); });\n"
      "  std::thread b([&] { NAME.pay(); });\n  a.join();\n  b.join();\n}\n";
  const auto named = [&](const std::string& name) {
    std::string text = main_of;
    for (size_t at; (at = text.find("NAME")) != std::string::npos;) text.replace(at, 4, name);
    return text;
  };
  write("t.cpp", named("mine"));
  commit();
  write("t.cpp", named("account"));
  const ToolResult result = check("--base main");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json()["known"], 1) << result.err;
}

TEST_F(CheckProject, AFunctionOfAnotherNameHasItsRacesStill) {
  const auto program = [&](const std::string& name) {
    write_program(name + "(3);", "return 0;",
                  "void " + name + "(int amount) {\n  if (amount > 2) other = amount;\n" +
                      "  for (int i = 0; i < amount; ++i) counter += i;\n}\n");
  };
  program("deposit");
  commit();
  program("pay_in");
  const ToolResult result = check("--base main");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json()["known"], 2) << result.err;
}

TEST_F(CheckProject, ASlowTestDoesNotKeepOthersFromBeingTried) {
  write("t.cpp",
        "#include <thread>\nint counter;\nint main(int argc, char** argv) {\n"
        "  const bool racy = argv[1][0] == 'z';\n"
        "  std::thread a([&] { if (racy) counter = 1; });\n  if (racy) counter = 2;\n  a.join();\n}\n");
  write_project("\"./t a\", \"./t z\"");
  commit();
  // More schedules than there is time for.
  const ToolResult result =
      shell("heddle check --base main --seeds 100000000 --budget 5s --json result.json");
  EXPECT_EQ(json()["tests"], 2) << result.err;
  EXPECT_EQ(json()["known"], 1) << result.err;
  EXPECT_EQ(json()["not_reached"].size(), 0u) << result.err;
  EXPECT_EQ(json()["complete"], false);
  EXPECT_NE(result.err.find("2 tests not tried under all schedules"), std::string::npos) << result.err;
}

TEST_F(CheckProject, WhatThereWasNoTimeForIsInTheLastLine) {
  write_program(kSafe, "return 0;");
  write_project("\"./t\", \"./t 2\", \"./t 3\"");
  commit();
  for (const std::string command : {"check --no-generate", "test"}) {
    const ToolResult result =
        shell("heddle " + command + " --base main --again --seeds 1000 --budget 1ms --json result.json");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(json()["complete"], false);
    const size_t last = result.err.rfind("heddle: ");
    ASSERT_NE(last, std::string::npos);
    EXPECT_NE(result.err.find("not tried: the time was not enough", last), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("not reached for lack of time"), std::string::npos) << result.err;
  }
}

// It does so under every schedule, and each takes as long as the test may.
TEST_F(CheckProject, ATestThatHangsInBothIsExecutedOnceOnTheBase) {
  write_program(kSafe, "for (;;) asm volatile(\"\");");
  write("heddle.toml", read("heddle.toml") + "timeout = 1\n");
  commit();
  write("t.cpp", read("t.cpp") + "int more;\n");
  const ToolResult result = shell("heddle check --base main --budget 1s --seeds 30 --json result.json");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json()["known"], 1) << result.err;
  EXPECT_EQ(json()["executions"], 2) << result.err;
}

TEST_F(CheckProject, AnInterruptedCheckSaysThatAndNothingElse) {
  write_program(kSafe, "return 0;");
  write_project("\"./t\"", "$CXX -O1 -pthread t.cpp -o t");
  write("t.cpp",
        "#include <fcntl.h>\n#include <unistd.h>\n#include <cstdlib>\n#include <fstream>\n"
        "int main() {\n  if (!std::getenv(\"PIPE\")) return 0;\n"
        "  std::ofstream(std::getenv(\"PIPE\") + std::string(\".reached\")) << 1;\n"
        "  close(open(std::getenv(\"PIPE\"), O_RDONLY));\n}\n");
  commit();
  // While a test runs.
  const ToolResult test = shell(
      "mkfifo ../w/pipe; export PIPE=\"$PWD/../w/pipe\"\n"
      "heddle check --base main --json result.json & heddle=$!\n"
      "until [ -e ../w/pipe.reached ]; do kill -0 $heddle || exit 9; done; kill -TERM $heddle; wait $heddle");
  EXPECT_EQ(test.exit_code, 130) << test.err;
  EXPECT_NE(test.err.find("interrupted"), std::string::npos) << test.err;
  EXPECT_EQ(test.err.find("hang"), std::string::npos) << test.err;
  EXPECT_EQ(json()["interrupted"], true);
  EXPECT_EQ(json()["complete"], false);
  EXPECT_EQ(json()["findings"].size(), 0u);
  // While it builds: what the build has started ends, too.
  write_project("\"./t\"", "echo $$ >$PIPE.pid; cat $PIPE");
  const ToolResult build = shell(
      "export PIPE=\"$PWD/../w/pipe\"\n"
      "heddle check --base main --json result.json & heddle=$!\n"
      "until [ -s ../w/pipe.pid ]; do kill -0 $heddle || exit 9; done; kill -TERM $heddle; wait $heddle; "
      "code=$?\n"
      "kill -0 $(cat ../w/pipe.pid) 2>/dev/null && exit 8; exit $code");
  EXPECT_EQ(build.exit_code, 130) << build.err;
  EXPECT_NE(build.err.find("interrupted"), std::string::npos) << build.err;
  EXPECT_EQ(build.err.find("does not build"), std::string::npos) << build.err;
}

constexpr const char* kFilesLists =
    "cmake_minimum_required(VERSION 3.16)\nproject(files CXX)\nenable_testing()\n"
    "add_executable(one one.cpp)\nadd_executable(two two.cpp)\n"
    "add_test(NAME one COMMAND one)\nadd_test(NAME two COMMAND two)\n"
    "add_test(NAME skipped COMMAND two 77)\nset_tests_properties(skipped PROPERTIES SKIP_RETURN_CODE 77)\n"
    "add_test(NAME printed COMMAND two 3)\n"
    "set_tests_properties(printed PROPERTIES PASS_REGULAR_EXPRESSION \"argument(s) [0-9]\")\n"
    "add_test(NAME refused COMMAND two 0)\n"
    "set_tests_properties(refused PROPERTIES FAIL_REGULAR_EXPRESSION \"argument\")\n";

TEST_F(CheckProject, BuildsOnlyWhatAChangeConcernsAndJudgesAsCTestDoes) {
  run("rm heddle.toml");
  write("CMakeLists.txt", kFilesLists);
  // The path is long enough to be put together of pieces in code.
  write("one.cpp",
        "#include <string>\nint main() {\n  const std::string file = __FILE__;\n"
        "  return file.size() > 1 ? 0 : 1;\n}\n");
  write("two.cpp",
        "#include <cstdio>\n#include <cstdlib>\nint main(int argc, char** argv) {\n"
        "  if (argc < 2) return 0;\n  std::printf(\"arguments %d\\n\", argc);\n"
        "  return std::atoi(argv[1]);\n}\n");
  commit();
  const auto log = [&](int slot) { return read(".heddle/builds/slot-" + std::to_string(slot) + "/log"); };
  const ToolResult recorded = shell("heddle record --head main --json result.json");
  EXPECT_EQ(recorded.exit_code, 1) << recorded.err;  // refused
  ASSERT_EQ(json()["findings"].size(), 1u) << recorded.err;
  EXPECT_EQ(json()["findings"][0]["test"], "refused");
  EXPECT_NE(log(0).find("one.cpp.o"), std::string::npos);

  write("two.cpp", read("two.cpp") + "// A line.\n\n");
  EXPECT_EQ(check("--base main").exit_code, 0);
  EXPECT_EQ(json()["base"]["build_cached"], true);
  EXPECT_EQ(json()["head"]["build_cached"], false);
  EXPECT_EQ(json()["unusable"].size(), 0u);
  // In another slot, the program that was not changed is the same.
  ASSERT_EQ(shell("heddle record --json result.json '^one$'").exit_code, 0);
  EXPECT_EQ(json()["up_to_date"], 1);
  // The slot of the working tree is used again, and only what is new is compiled.
  write("two.cpp", read("two.cpp") + "int more;\n");
  EXPECT_EQ(check("--base main").exit_code, 0);
  EXPECT_NE(log(1).find("two.cpp.o"), std::string::npos) << log(1);
  EXPECT_EQ(log(1).find("one.cpp.o"), std::string::npos) << log(1);
  // Files that are gone are gone, and what does not build is said in JSON, too.
  write("CMakeLists.txt", std::string(kFilesLists) + "add_executable(three one.cpp three.cpp)\n");
  write("three.cpp", "int three;\n");
  EXPECT_EQ(check("--base main").exit_code, 0);
  run("rm three.cpp");
  EXPECT_EQ(check("--base main").exit_code, 2);
  EXPECT_NE(json()["error"].get<std::string>().find("does not build"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".heddle/builds/slot-2/source"));
}

}  // namespace
}  // namespace heddle
