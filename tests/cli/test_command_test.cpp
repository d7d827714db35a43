// `heddle test`, and `heddle check` where the history knows the base: recorded, changed, tried.
#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

constexpr const char* kStockLists =
    "cmake_minimum_required(VERSION 3.20)\nproject(stock CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
    "find_package(Threads REQUIRED)\nenable_testing()\n"
    "foreach(test together handed alone)\n  add_executable(${test} ${test}.cpp)\n"
    "  target_link_libraries(${test} Threads::Threads)\n  add_test(NAME stock.${test} COMMAND "
    "${test})\nendforeach()\n";

// Calls of the two functions in two threads.
std::string two_threads(const std::string& one, const std::string& other) {
  return "#include <thread>\n#include \"stock.h\"\nint main() {\n  Stock stock;\n  std::thread a([&] { " +
         one + " });\n  std::thread b([&] { " + other + " });\n  a.join();\n  b.join();\n}\n";
}

// All of them change the same base, which is built and recorded once.
class TestCommand : public ToolTest {
 protected:
  void SetUp() override {
    folder_ = project();
    set_root(folder_.parent_path());
    if (std::filesystem::exists(folder_)) return;
    std::filesystem::create_directory(folder_);
    run("git init -q -b main . && git config user.email a@b && git config user.name a && "
        "git config commit.gpgsign false && printf '.out\\n.err\\n' >>.git/info/exclude");
    write("CMakeLists.txt", kStockLists);
    write_stock({});
    write("together.cpp", two_threads("stock.add(1);", "stock.add(2);"));
    write("handed.cpp", two_threads("stock.give();", "stock.take();"));
    write("alone.cpp",
          "#include \"stock.h\"\nint main(int argc, char**) { return Stock::twice(argc) - 2; }\n");
    run("git add -A . && git commit -q -m base && heddle record --head main; test $? = 1");
  }
  void TearDown() override {}
  static void SetUpTestSuite() { std::filesystem::remove_all(project()); }
  static void TearDownTestSuite() { std::filesystem::remove_all(project()); }
  static std::filesystem::path project() {
    return std::filesystem::canonical(::testing::TempDir()) / "heddle_cli_TestCommand";
  }

  struct Stock {
    std::string guard = "std::lock_guard<std::mutex> lock(mutex_);";
    std::string give = "std::lock_guard<std::mutex> lock(mutex_);\n    given_ = 1;";
    std::string take = "std::lock_guard<std::mutex> lock(mutex_);\n    given_ = 2;";
    std::string twice = "n + n";
  };
  // Its seen_ is not protected, before and after any change.
  void write_stock(const Stock& stock) const {
    write("stock.h", "#include <mutex>\nclass Stock {\n public:\n  void add(int n) {\n    seen_ = n;\n    " +
                         stock.guard + "\n    sum_ += n;\n  }\n  void give() {\n    " + stock.give +
                         "\n  }\n  void take() {\n    " + stock.take +
                         "\n  }\n  static __attribute__((noinline)) int twice(int n) { return " +
                         stock.twice +
                         "; }\n\n private:\n  std::mutex mutex_;\n  int sum_ = 0;\n  int seen_ = 0;\n"
                         "  int given_ = 0;\n};\n");
  }
  void run(const std::string& line) const {
    const ToolResult result = shell(line);
    ASSERT_EQ(result.exit_code, 0) << line << result.err;
  }
  ToolResult heddle(const std::string& words) const {
    return shell("heddle " + words + " --json result.json");
  }
  nlohmann::json json() const { return nlohmann::json::parse(read("result.json"), nullptr, false); }
};

TEST_F(TestCommand, TellsTheRacesThatTheChangeAddsAndMeasuresTheOrder) {
  write_stock({.guard = "// quicker without"});
  ToolResult result = heddle("test --base main --seeds 3");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  nlohmann::json told = json();
  EXPECT_EQ(told["selected"], 1) << result.err;
  EXPECT_EQ(told["of"], 3);
  EXPECT_EQ(told["tests"], 1);
  EXPECT_EQ(told["regression_races"], 1) << result.err;
  EXPECT_EQ(told["known"], 1);
  ASSERT_EQ(told["findings"].size(), 1u) << result.err;
  EXPECT_NE(told["findings"][0]["message"].get<std::string>().find("sum_"), std::string::npos);
  EXPECT_EQ(shell("heddle replay " + told["findings"][0]["schedule"].get<std::string>()).exit_code, 1);
  EXPECT_NE(result.err.find("(--known tells them)"), std::string::npos) << result.err;

  result = heddle("test --base main --seeds 3 --known --measure");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  told = json();
  EXPECT_EQ(told["findings"].size(), 2u);
  EXPECT_EQ(told["tests"], 3);
  EXPECT_EQ(told["order"][0], "stock.together");
  EXPECT_EQ(told["apfd"]["races"], 1);
  EXPECT_NEAR(told["apfd"]["all"].get<double>(), 100 * (1 - 1.0 / 3 + 1.0 / 6), 0.01);
  EXPECT_NEAR(told["apfd"]["selected"].get<double>(), 50, 0.01);

  // How other runners run what matters; and nothing, if nothing does.
  EXPECT_EQ(shell("heddle select --base main --format ctest").out, "^(stock\\.together)$\n");
  const ToolResult gtest = shell("heddle select --base main --format gtest");
  EXPECT_EQ(gtest.out, "");
  EXPECT_NE(gtest.err.find("no cases of GoogleTest: stock.together"), std::string::npos) << gtest.err;
  write_stock({.guard = "std::lock_guard<std::mutex> lock(mutex_);  // as it was"});
  EXPECT_EQ(shell("heddle select --base main --format ctest").out, "^$\n");
  result = heddle("test --base main");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json()["tests"], 0);
  EXPECT_NE(result.err.find("no test is selected"), std::string::npos) << result.err;
}

TEST_F(TestCommand, ExecutesWhatIsOnlySuspected) {
  // Ordered by the lock whenever the first thread comes first.
  write_stock({.give = "given_ = 1;\n    std::lock_guard<std::mutex> lock(mutex_);",
               .take = "{ std::lock_guard<std::mutex> lock(mutex_); }\n    given_ = 2;"});
  // What the change makes possible is executed, too.
  const ToolResult checked = heddle("check --base main --seeds 0 --no-generate");
  EXPECT_EQ(checked.exit_code, 1) << checked.err;
  EXPECT_EQ(json()["findings"][0]["kind"], "race") << checked.err;
  const ToolResult result = heddle("test --base main --seeds 0");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const nlohmann::json told = json();
  ASSERT_EQ(told["findings"].size(), 1u) << result.err;
  EXPECT_EQ(told["findings"][0]["kind"], "race");
  EXPECT_EQ(told["findings"][0]["confirmation"], "benign");
  EXPECT_EQ(shell("heddle replay " + told["findings"][0]["schedule"].get<std::string>()).exit_code, 1);
}

TEST_F(TestCommand, CheckRunsOnceWhatReachesTheChangeWithoutThreads) {
  write_stock({.twice = "n * 3"});
  const ToolResult result = heddle("check --base main --seeds 2");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  nlohmann::json told = json();
  EXPECT_EQ(told["selection_made"], true) << result.err;
  EXPECT_EQ(told["selected"], 0) << result.err;
  EXPECT_EQ(told["tried_plainly"], 1);
  ASSERT_EQ(told["findings"].size(), 1u) << result.err;
  EXPECT_EQ(told["findings"][0]["kind"], "exit-code");
  EXPECT_EQ(told["findings"][0]["test"], "stock.alone");
  EXPECT_EQ(told["findings"][0]["status"], "new");
  EXPECT_NE(result.err.find("0 of 3 tests selected"), std::string::npos) << result.err;
  EXPECT_EQ(heddle("check --base main --seeds 2 --all-tests").exit_code, 1);
  told = json();
  EXPECT_EQ(told["tests"], 3);
  EXPECT_EQ(told["new"], 1);
  EXPECT_EQ(told["known"], 1);
}

}  // namespace
}  // namespace heddle
