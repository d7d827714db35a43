// `heddle generate`, from a header to a test that fails.
#include <algorithm>
#include <fstream>

#include <nlohmann/json.hpp>

#include "git_project.h"

namespace heddle {
namespace {

// Two numbers that belong together. `move` takes the lock twice.
constexpr char kPairHeader[] = R"(#pragma once
#include <mutex>
#include <utility>
namespace demo {
// Thread-safe.
class Pair {
 public:
  void move(int by);
  std::pair<int, int> both() const;
  void reset();

 private:
  mutable std::mutex mutex_;
  int left_ = 0;
  int right_ = 0;
};
}  // namespace demo
)";
constexpr char kRightMove[] = "  std::lock_guard lock(mutex_);\n  left_ += by;\n  right_ += by;\n";
constexpr char kWrongMove[] =
    "  {\n    std::lock_guard lock(mutex_);\n    left_ += by;\n  }\n  std::lock_guard lock(mutex_);\n  "
    "right_ += by;\n";

std::string pair_source(const std::string& move) {
  return "#include \"pair.h\"\nnamespace demo {\nvoid Pair::move(int by) {\n" + move +
         "}\nstd::pair<int, int> Pair::both() const {\n  std::lock_guard lock(mutex_);\n  return {left_, "
         "right_};\n}\nvoid Pair::reset() {\n  std::lock_guard lock(mutex_);\n  left_ = right_ = 0;\n}\n}\n";
}

class GenerateCommand : public GitProjectTest {
 protected:
  ToolResult generate(const std::string& arguments) {
    const ToolResult told = shell("heddle generate " + arguments + " --json generate.json");
    std::ifstream file(folder_ / "generate.json");
    json_ = nlohmann::json::parse(file, nullptr, false);
    return told;
  }
  void write_pair(const std::string& move) const {
    write("pair.h", kPairHeader);
    write("pair.cpp", pair_source(move));
  }

  nlohmann::json json_;
};

TEST_F(GenerateCommand, FindsABugAndWritesATestThatFailsUntilItIsMended) {
  write_pair(kWrongMove);
  const ToolResult told =
      generate("--class demo::Pair --header pair.h --source pair.cpp --budget 10s --max-bugs 1");
  ASSERT_EQ(told.exit_code, 1) << told.err;
  ASSERT_EQ(json_["findings"].size(), 1U) << json_;
  const nlohmann::json& finding = json_["findings"][0];
  EXPECT_EQ(finding["kind"], "atomicity");
  EXPECT_NE(told.err.find("one after the other, they give"), std::string::npos) << told.err;
  const ToolResult replayed = shell("heddle replay " + finding["schedule"].get<std::string>());
  EXPECT_EQ(replayed.exit_code, 1) << replayed.err;
  EXPECT_NE(replayed.err.find("reproduced"), std::string::npos) << replayed.err;

  const auto& tests = json_["tests"];
  const auto failing = std::find_if(tests.begin(), tests.end(),
                                    [](const nlohmann::json& test) { return !test["finding"].is_null(); });
  ASSERT_NE(failing, tests.end()) << json_;
  EXPECT_EQ((*failing)["finding"], finding["fingerprint"]);
  EXPECT_EQ((*failing)["checked"], true) << told.err;
  const std::string file = (*failing)["file"];

  // As a user goes on from there.
  const std::string compile = "heddle c++ -std=c++20 -I. -I$(dirname $(command -v heddle))/../include " +
                              file + " pair.cpp -lgtest_main -lgtest -o pair_test";
  ASSERT_EQ(shell(compile).exit_code, 0) << shell(compile).err;
  EXPECT_EQ(shell("heddle run -- ./pair_test").exit_code, 1);
  write_pair(kRightMove);
  ASSERT_EQ(shell(compile).exit_code, 0);
  const ToolResult mended = shell("heddle run -- ./pair_test");
  EXPECT_EQ(mended.exit_code, 0) << mended.out << mended.err;
}

TEST_F(GenerateCommand, OfACorrectClassKeepsTestsThatPass) {
  write_pair(kRightMove);
  const ToolResult told = generate("--class demo::Pair --header pair.h --source pair.cpp --budget 6s");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_EQ(json_["findings"].size(), 0U);
  EXPECT_EQ(json_["requirements"]["covered"], json_["requirements"]["feasible"]) << json_["requirements"];
  // What is there is not written over, and what was compiled is used again.
  const ToolResult again = generate("--class demo::Pair --header pair.h --source pair.cpp --budget 6s");
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_NE(again.err.find("--force"), std::string::npos) << again.err;
}

TEST_F(GenerateCommand, SaysWhatIsMissing) {
  write_pair(kRightMove);
  const ToolResult unknown = generate("--class demo::Pear --header pair.h --source pair.cpp --out a");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("demo::Pair"), std::string::npos) << unknown.err;
  const ToolResult undefined = generate("--class demo::Pair --header pair.h --out b");
  EXPECT_EQ(undefined.exit_code, 2);
  EXPECT_NE(undefined.err.find("demo::Pair::move(int)"), std::string::npos) << undefined.err;
  EXPECT_NE(undefined.err.find("--source"), std::string::npos) << undefined.err;
  write("broken.h", "class Broken { int x = ; };\n");
  const ToolResult broken = generate("--class Broken --header broken.h --out c");
  EXPECT_EQ(broken.exit_code, 2);
  EXPECT_NE(broken.err.find("broken.h:1"), std::string::npos) << broken.err;
  write(
      "odd.h",
      "#include <cstdlib>\nclass Odd { public: int get() const { return 1; } void leave() { std::exit(3); } "
      "void wait() { for (;;) {} } };\nclass Shape { public: virtual ~Shape() = default; virtual void draw() "
      "= 0; };\n");
  const ToolResult abstract = generate("--class Shape --header odd.h --out d");
  EXPECT_EQ(abstract.exit_code, 2);
  EXPECT_NE(abstract.err.find("draw"), std::string::npos) << abstract.err;
  const ToolResult odd = generate("--class Odd --header odd.h --out e --budget 5s");
  EXPECT_EQ(odd.exit_code, 0) << odd.err;
  EXPECT_NE(odd.err.find("leave()"), std::string::npos) << odd.err;
  EXPECT_NE(odd.err.find("exit(3)"), std::string::npos) << odd.err;
  const ToolResult listed = generate("--header odd.h --list");
  EXPECT_EQ(listed.out, "Odd\nShape\n") << listed.err;
}

TEST_F(GenerateCommand, OfAChangeTellsWhatTheBaseDoesNotDo) {
  write("CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.20)\nproject(pair CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
        "find_package(Threads REQUIRED)\nenable_testing()\nadd_library(pair pair.cpp)\n"
        "add_executable(pair_test pair_test.cpp)\ntarget_link_libraries(pair_test pair Threads::Threads)\n"
        "add_test(NAME pair_test COMMAND pair_test)\n");
  write("pair_test.cpp",
        "#include \"pair.h\"\nint main() { demo::Pair pair; pair.move(1); return pair.both().first - 1; }\n");
  write_pair(kRightMove);
  commit();
  write_pair(kWrongMove);
  const ToolResult checked = shell("heddle check --base main --budget 20s --json check.json");
  EXPECT_EQ(checked.exit_code, 1) << checked.err;
  const auto check = nlohmann::json::parse(std::ifstream(folder_ / "check.json"));
  ASSERT_GE(check["findings"].size(), 1U) << checked.err;
  EXPECT_EQ(check["findings"][0]["kind"], "atomicity");
  EXPECT_EQ(check["findings"][0]["status"], "new");
  EXPECT_EQ(check["generated"]["classes"][0]["class"], "demo::Pair");

  // Another change, and what was wrong before is known.
  commit();
  std::string mended = pair_source(kWrongMove);
  mended.replace(mended.find("left_ = right_ = 0;"), 19, "left_ = 0;\n  right_ = 0;");
  write("pair.cpp", mended);
  const ToolResult known = generate("--changed --base main --budget 10s");
  EXPECT_EQ(known.exit_code, 0) << known.err;
  EXPECT_GE(json_["classes"][0]["known"], 1) << json_;
}

}  // namespace
}  // namespace heddle
