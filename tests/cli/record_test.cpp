// `heddle record` and `heddle history` on a small git project, as a user has it.
#include <algorithm>

#include <nlohmann/json.hpp>

#include "history/history.h"
#include "tool.h"

namespace heddle {
namespace {

constexpr const char* kLists =
    "cmake_minimum_required(VERSION 3.16)\n"
    "project(cache CXX)\n"
    "enable_testing()\n"
    "find_package(Threads REQUIRED)\n"
    "add_executable(cache_test cache_test.cpp)\n"
    "target_link_libraries(cache_test Threads::Threads)\n"
    "add_executable(other_test other_test.cpp)\n"
    "add_test(NAME abort COMMAND cache_test abort)\n"
    "add_test(NAME missing COMMAND no_such_program)\n"
    "add_test(NAME one COMMAND cache_test one)\n"
    "add_test(NAME other COMMAND other_test)\n"
    "add_test(NAME racy COMMAND cache_test racy)\n"
    "add_test(NAME two COMMAND cache_test two)\n";

constexpr const char* kCache =
    "#include <mutex>\n"                     // 1
    "class Cache {\n"                        // 2
    " public:\n"                             // 3
    "  void add(int value) {\n"              // 4
    "    std::lock_guard guard(mutex_);\n"   // 5
    "    if (value > 100)\n"                 // 6
    "      size_ = 0;\n"                     // 7
    "    size_ = size_ + 1;\n"               // 8
    "  }\n"                                  // 9
    "  void hit() { hits_ = hits_ + 1; }\n"  // 10
    " private:\n"                            // 11
    "  std::mutex mutex_;\n"                 // 12
    "  int size_ = 0;\n"                     // 13
    "  int hits_ = 0;\n"                     // 14
    "};\n";                                  // 15

constexpr const char* kTest =
    "#include <cstdlib>\n#include <string>\n#include <thread>\n#include \"cache.h\"\n"
    "int main(int argc, char** argv) {\n"
    "  const std::string what = argv[1];\n"
    "  auto* cache = new Cache;\n"
    "  if (what == \"abort\") std::abort();\n"
    "  if (what == \"one\") cache->add(argc * 100);\n"
    "  if (what == \"one\") return 0;\n"
    "  std::thread a([&] { what == \"racy\" ? cache->hit() : cache->add(1); });\n"
    "  std::thread b([&] { what == \"racy\" ? cache->hit() : cache->add(2); });\n"
    "  a.join();\n  b.join();\n  delete cache;\n}\n";

class RecordCommand : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    // Beside the project there is room for what is not part of it.
    folder_ /= "project";
    std::filesystem::create_directories(folder_.parent_path() / "w");
    std::filesystem::create_directory(folder_);
    ASSERT_EQ(shell("git init -q -b main . && git config user.email a@b && git config user.name a && "
                    "git config commit.gpgsign false && printf '.out\\n.err\\n' >>.git/info/exclude")
                  .exit_code,
              0);
  }
  void TearDown() override {
    folder_ = folder_.parent_path();
    ToolTest::TearDown();
  }
  void commit() { ASSERT_EQ(shell("git add . && git commit -q -m next").exit_code, 0); }
  ToolResult record(const std::string& options = "") const {
    return shell("heddle record --json ../w/record.json " + options);
  }
  nlohmann::json json() const { return nlohmann::json::parse(read("../w/record.json"), nullptr, false); }
  std::string outcome(const std::string& test) const {
    const nlohmann::json told = json();
    for (const nlohmann::json& one : told["tests"]) {
      if (one["name"] == test) return one["outcome"];
    }
    return "not there";
  }
  void expect_counts(size_t recorded, size_t up_to_date) const {
    EXPECT_EQ(json()["recorded"], recorded);
    EXPECT_EQ(json()["up_to_date"], up_to_date);
  }
  std::optional<KnownTest> known(const std::string& test) const {
    Expected<History> history = History::open((folder_ / ".heddle/history.db").string());
    if (!history) return std::nullopt;
    Expected<std::optional<KnownTest>> loaded = history->records().load(test, 0);
    return loaded ? std::move(*loaded) : std::nullopt;
  }
};

const FunctionActivity* function_of(const KnownTest& known, const std::string& name) {
  for (const auto& function : known.record.functions) {
    if (function->function == name) return function.get();
  }
  return nullptr;
}

// The threads that executed a block that begins in the line.
ThreadSet threads_at(const FunctionActivity& function, uint32_t line) {
  for (const FunctionActivity::Block& block : function.blocks) {
    if (block.line == line) return function.thread_sets.at(block.threads);
  }
  return {};
}

TEST_F(RecordCommand, RemembersWhatTestsDidUntilTheirProgramsChange) {
  write("CMakeLists.txt", kLists);
  write("cache.h", kCache);
  write("cache_test.cpp", kTest);
  write("other_test.cpp", "int main() { return 0; }\n");
  commit();
  const ToolResult first = record();
  EXPECT_EQ(first.exit_code, 1) << first.err;  // racy and abort
  expect_counts(5, 0);
  EXPECT_NE(first.err.find("missing cannot be recorded"), std::string::npos) << first.err;
  EXPECT_EQ(outcome("one"), "ok");
  EXPECT_EQ(outcome("racy"), "race");
  EXPECT_EQ(outcome("abort"), "crash");

  const std::optional<KnownTest> two = known("two");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->record.threads, 3u);
  EXPECT_TRUE(two->record.complete);
  EXPECT_TRUE(two->record.has_blocks);
  EXPECT_FALSE(two->tree.is_working_tree);  // nothing differs from the commit
  EXPECT_EQ(two->tree.revision + "\n", shell("git rev-parse HEAD").out);
  const FunctionActivity* add = function_of(*two, "Cache::add");
  ASSERT_NE(add, nullptr);
  EXPECT_EQ(add->file, "cache.h");
  const ThreadSet both{{"main/1", "main/2"}, 2};
  EXPECT_EQ(threads_at(*add, 8), both);
  EXPECT_EQ(threads_at(*add, 7).count, 0u);  // not executed
  const auto writes_size = [](const FunctionActivity::Access& access) {
    return access.line == 8 && access.kinds == access_kind::kWrite && access.variable == "Cache::size_";
  };
  const auto access = std::find_if(add->accesses.begin(), add->accesses.end(), writes_size);
  ASSERT_NE(access, add->accesses.end());
  EXPECT_EQ(add->thread_sets.at(access->threads), both);

  const std::optional<KnownTest> one = known("one");
  ASSERT_TRUE(one);
  const FunctionActivity* alone = function_of(*one, "Cache::add");
  ASSERT_NE(alone, nullptr);
  EXPECT_TRUE(std::any_of(alone->blocks.begin(), alone->blocks.end(),
                          [](const FunctionActivity::Block& block) { return block.line == 7; }));
  EXPECT_EQ(threads_at(*alone, 7).count, 0u);  // there is no other thread that it could race with
  EXPECT_TRUE(alone->accesses.empty());        // nothing is shared
  EXPECT_EQ(known("racy")->record.findings.size(), 1u);

  // Nothing changed, but the failures are still failures.
  EXPECT_EQ(record().exit_code, 1);
  expect_counts(0, 5);
  EXPECT_EQ(json()["findings"].size(), 2u);
  EXPECT_EQ(record("--again '^one$'").exit_code, 0);
  expect_counts(1, 0);
  EXPECT_EQ(record("nothing").exit_code, 2);
  EXPECT_EQ(record("'('").exit_code, 2);
  EXPECT_EQ(record("--build .heddle --head main").exit_code, 2);

  // Another tree, in which one program is another one.
  write("other_test.cpp", "int main() {\n  return 0; }\n");
  write("README", "new\n");
  commit();
  const ToolResult changed = record("--head main");
  expect_counts(1, 4);
  EXPECT_FALSE(known("two")->tree.is_working_tree);

  // What is known can be carried elsewhere: here to another store, whose builds lie in other folders
  // (with names as long as those here).
  EXPECT_EQ(shell("heddle history export ../w/exported.db.zst && heddle history import --store another "
                  "../w/exported.db.zst")
                .exit_code,
            0);
  EXPECT_EQ(record("--head main --store another").exit_code, 1);
  expect_counts(0, 5);
}

// One program without CMake: test `X` is `./t X`.
class PlainRecordCommand : public RecordCommand {
 protected:
  void SetUp() override {
    RecordCommand::SetUp();
    write_program(false);
    write_project({"a", "m-waits", "z"});
    commit();
  }
  void write_program(bool racy) {
    const std::string race = racy ? "  if (what == \"racy\") counter = 2;\n" : "";
    write(
        "t.cpp",
        "#include <fcntl.h>\n#include <unistd.h>\n#include <cstdlib>\n#include <fstream>\n"
        "#include <string>\n#include <thread>\n"
        "int counter;\n"
        "int main(int, char** argv) {\n"
        "  const std::string what = argv[1];\n"
        "  const std::string folder = std::getenv(\"FOLDER\") != nullptr ? std::getenv(\"FOLDER\") : \"\";\n"
        "  if (what == \"m-waits\" && access((folder + \"/pipe\").c_str(), F_OK) == 0) {\n"
        "    std::ofstream(folder + \"/reached\") << \"x\";\n"
        "    close(open((folder + \"/pipe\").c_str(), O_RDONLY));\n"
        "  }\n"
        "  std::thread a([&] { if (what == \"racy\") counter = 1; });\n" +
            race + "  a.join();\n}\n");
  }
  void write_project(const std::vector<std::string>& tests) {
    std::string list;
    for (const std::string& test : tests) list += (list.empty() ? "\"./t " : ", \"./t ") + test + "\"";
    write("heddle.toml",
          "[build]\ncommands = [\"$CXX -O1 -pthread t.cpp -o t\"]\n[tests]\ncommands = [" + list + "]\n");
  }
  // Starts the command, waits until its second test runs, and kills it.
  void kill_in_the_middle(const std::string& command) const {
    const ToolResult result =
        shell("mkfifo ../w/pipe; export FOLDER=\"$PWD/../w\"\n" + command +
              " 2>/dev/null & heddle=$!\n"
              "until [ -e ../w/reached ]; do kill -0 $heddle || exit 9; done; kill -9 $heddle; wait $heddle; "
              "rm ../w/pipe; exit 0");
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }
};

TEST_F(PlainRecordCommand, GoesOnAfterItWasKilled) {
  kill_in_the_middle("heddle record");
  EXPECT_EQ(record().exit_code, 0);
  expect_counts(2, 1);  // the first one had been recorded
  EXPECT_EQ(record("--budget 1ms --again").exit_code, 0);
  EXPECT_GE(json()["not_reached"].size(), 2u);  // no test is that quick
  EXPECT_EQ(json()["complete"], false);

  // A user's own build of the same sources.
  ASSERT_EQ(shell("mkdir ../w/own && cp t.cpp heddle.toml ../w/own && cd ../w/own && "
                  "heddle c++ -O1 -pthread t.cpp -o t && heddle record --build . --json ../record.json")
                .exit_code,
            0);
  expect_counts(3, 0);
}

TEST_F(PlainRecordCommand, WhatGitIgnoresIsNoSourceOfAUsersBuild) {
  write("heddle.toml", "[tests]\ncommands = [\"./t\"]\n");
  write("t.cpp", "int main() {}\n");
  write(".gitignore", "/t\n/other/\n");
  commit();
  ASSERT_EQ(shell("heddle c++ -O1 -pthread t.cpp -o t && mkdir other && touch -d '+1 hour' other/later.o")
                .exit_code,
            0);
  const ToolResult ignored = record("--build .");
  EXPECT_EQ(ignored.exit_code, 0) << ignored.err;
  EXPECT_EQ(ignored.err.find("written since"), std::string::npos) << ignored.err;
  ASSERT_EQ(shell("touch -d '+1 hour' t.cpp").exit_code, 0);
  EXPECT_NE(record("--build .").err.find("sources have been written since . was made"), std::string::npos);
}

TEST_F(PlainRecordCommand, ATestThatHangsIsRecordedAsThatAndTriedAgain) {
  const std::string patient = read("heddle.toml");
  write("heddle.toml", patient + "timeout = 1\n");
  ASSERT_EQ(shell("mkfifo ../w/pipe").exit_code, 0);
  const ToolResult hung = shell("FOLDER=\"$PWD/../w\" heddle record --json ../w/record.json m-waits");
  EXPECT_EQ(hung.exit_code, 1) << hung.err;
  EXPECT_EQ(outcome("./t m-waits"), "hang") << hung.err;
  write("heddle.toml", patient);
  ASSERT_EQ(shell("rm ../w/pipe").exit_code, 0);
  EXPECT_EQ(record().exit_code, 0);
  EXPECT_EQ(outcome("./t m-waits"), "ok");
  expect_counts(3, 0);
}

TEST_F(PlainRecordCommand, ACheckGoesOnAfterItWasKilledAndTwoAtOnceAgree) {
  write_project({"a", "m-waits", "racy", "z"});
  write_program(true);
  const std::string check = "heddle check --base main --seeds 3 --output ../w/";
  kill_in_the_middle(check);
  // Both go on from there, at the same time.
  const ToolResult both = shell("(" + check + " --json ../w/1.json 2>../w/1.err; echo $?>../w/1) & " + check +
                                " --json ../w/2.json 2>../w/2.err; echo $?>../w/2; wait; cat ../w/1 ../w/2");
  EXPECT_EQ(both.out, "1\n1\n") << read("../w/1.err") << read("../w/2.err");
  for (const char* file : {"../w/1.json", "../w/2.json"}) {
    const nlohmann::json told = nlohmann::json::parse(read(file), nullptr, false);
    EXPECT_EQ(told["new"], 1) << file;
    EXPECT_EQ(told["tests"], 4) << file;
    EXPECT_GE(told["tried_before"], 1) << file;
  }
  // What they have found clean needs no third look, and is known to those who record.
  EXPECT_EQ(shell(check + " --json ../w/3.json").exit_code, 1);
  EXPECT_EQ(nlohmann::json::parse(read("../w/3.json"), nullptr, false)["tried_before"], 3);
  EXPECT_EQ(record().exit_code, 1);
  expect_counts(0, 4);
}

TEST_F(PlainRecordCommand, LeavesATreeThatCannotBeWrittenAsItIs) {
  write(
      "read_only.sh",
      "set -e\n"
      "if [ $(id -u) = 0 ]; then\n"
      "  mount --bind . . && mount -o remount,ro,bind . && cd \"$PWD\"\n"
      "else chmod -R a-w .; fi\n"
      "status=0; XDG_CACHE_HOME=\"$PWD/../w\" heddle check --base main --head main 2>../w/err || status=$?\n"
      "[ $(id -u) = 0 ] || chmod -R u+w .\n"
      "exit $status\n");
  commit();
  const ToolResult result = shell(
      "if [ $(id -u) != 0 ]; then sh read_only.sh; "
      "elif unshare -m true; then unshare -m sh read_only.sh; else exit 77; fi");
  if (result.exit_code == 77) GTEST_SKIP() << "root cannot be kept from writing here";
  EXPECT_EQ(result.exit_code, 0) << result.err << read("../w/err");
  EXPECT_NE(read("../w/err").find("the project cannot be written"), std::string::npos) << read("../w/err");
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".heddle"));
  EXPECT_EQ(shell("ls ../w/heddle/*/history.db").exit_code, 0);
  EXPECT_EQ(shell("git status --porcelain").out, "");
}

TEST_F(PlainRecordCommand, BadHistories) {
  ASSERT_EQ(shell("mkdir .heddle && echo rubbish > .heddle/history.db").exit_code, 0);
  const ToolResult damaged = record();
  EXPECT_EQ(damaged.exit_code, 2);
  EXPECT_NE(damaged.err.find("is damaged"), std::string::npos) << damaged.err;
  EXPECT_EQ(read(".heddle/history.db"), "rubbish\n");
  EXPECT_EQ(shell("rm .heddle/history.db; heddle history export ../w/x.db").exit_code, 2);
  EXPECT_EQ(shell("echo rubbish > ../w/x.zst; heddle history import ../w/x.zst").exit_code, 2);
  EXPECT_EQ(shell("cd / && heddle record --store " + folder_.string() + "/.heddle").exit_code, 2);
}

}  // namespace
}  // namespace heddle
