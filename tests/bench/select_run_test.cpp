// heddle-bench-select on a small subject.
#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

class SelectBenchmark : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    ASSERT_EQ(shell("mkdir -p subjects/cache/base/src subjects/cache/changes").exit_code, 0);
    write("subjects/cache/subject.toml", "change = \"no-lock\"\n[changes.no-lock]\nwhat = \"quicker\"\n");
    write("subjects/cache/base/CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.20)\nproject(cache CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
          "find_package(Threads REQUIRED)\nenable_testing()\n"
          "foreach(test together apart)\n  add_executable(${test} src/${test}.cpp)\n"
          "  target_link_libraries(${test} Threads::Threads)\n  add_test(NAME ${test} COMMAND "
          "${test})\nendforeach()\n");
    write("subjects/cache/base/src/cache.h",
          "#include <mutex>\nclass Cache {\n public:\n  void add(int n) {\n"
          "    std::lock_guard lock(mutex_);\n    sum_ += n;\n  }\n  int get() {\n"
          "    std::lock_guard lock(mutex_);\n    return sum_;\n  }\n\n private:\n  std::mutex mutex_;\n"
          "  int sum_ = 0;\n};\n");
    write("subjects/cache/changes/no-lock.patch",
          "--- a/src/cache.h\n+++ b/src/cache.h\n@@ -3,5 +3,4 @@\n  public:\n   void add(int n) {\n"
          "-    std::lock_guard lock(mutex_);\n     sum_ += n;\n   }\n");
    write_test("together", "std::thread a([&] { cache.add(1); });\n  std::thread b([&] { cache.add(2); });");
    write_test("apart",
               "cache.add(1);\n  std::thread a([&] { cache.get(); });\n"
               "  std::thread b([&] { cache.get(); });");
  }
  void write_test(const std::string& name, const std::string& body) const {
    write("subjects/cache/base/src/" + name + ".cpp",
          "#include <thread>\n#include \"cache.h\"\nint main() {\n  Cache cache;\n  " + body +
              "\n  a.join();\n  b.join();\n}\n");
  }
  ToolResult bench(const std::string& options) const {
    return shell(HEDDLE_BENCH_SELECT " --subjects subjects --work work --seeds 1 --json told.json " +
                 options);
  }
};

TEST_F(SelectBenchmark, ComparesSelectionsAndTriesMutants) {
  const ToolResult result = bench("--mutants 1");
  ASSERT_EQ(result.exit_code, 0) << result.out << result.err;
  const nlohmann::json told = nlohmann::json::parse(read("told.json"));
  const nlohmann::json& change = told["changes"][0];
  EXPECT_EQ(change["subject"], "cache");
  EXPECT_EQ(change["all"]["tests"], 2);
  EXPECT_EQ(change["all"]["races"], 1) << change;
  EXPECT_EQ(change["classic"]["tests"], 2);
  EXPECT_EQ(change["heddle"]["tests"], 1);
  EXPECT_EQ(change["heddle"]["races"], 1);
  EXPECT_EQ(change["heddle"]["potential_races"], change["all"]["potential_races"]);
  EXPECT_GE(change["without_threads"]["tests"], 1);
  EXPECT_EQ(change["apfd_all"]["heddle"], 75);
  ASSERT_EQ(told["mutants"].size(), 1u);
  EXPECT_EQ(told["mutants"][0]["compiles"], true);
  EXPECT_TRUE(told["mutants"][0]["missed"].empty()) << told["mutants"];
  EXPECT_NE(result.out.find("met:"), std::string::npos) << result.out;

  // What was executed is known.
  const ToolResult again = bench("--mutants 1");
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(again.err.find("executing"), std::string::npos) << again.err;
  EXPECT_EQ(nlohmann::json::parse(read("told.json"))["changes"][0]["heddle"], change["heddle"]);
}

TEST_F(SelectBenchmark, SaysWhichSubjectItDoesNotKnow) {
  const ToolResult result = bench("tree");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("there is no subject tree"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace heddle
