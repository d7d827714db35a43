// `heddle select` on a real project: recorded, changed, asked.
#include <nlohmann/json.hpp>

#include "git_project.h"

namespace heddle {
namespace {

class SelectCommand : public GitProjectTest {
 protected:
  void SetUp() override {
    GitProjectTest::SetUp();
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.20)\nproject(cache CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
          "find_package(Threads REQUIRED)\nenable_testing()\n"
          "foreach(test together apart)\n  add_executable(${test} ${test}.cpp)\n"
          "  target_link_libraries(${test} Threads::Threads)\n  add_test(NAME ${test} COMMAND "
          "${test})\nendforeach()\n");
    write_cache("std::lock_guard<std::mutex> lock(mutex_);");
    write("together.cpp",
          "#include <thread>\n#include \"cache.h\"\nint main() {\n  Cache cache;\n"
          "  std::thread a([&] { cache.add(1); });\n  std::thread b([&] { cache.add(2); });\n"
          "  a.join();\n  b.join();\n}\n");
    // It has threads, and adds, but not at the same time.
    write("apart.cpp",
          "#include <thread>\n#include \"cache.h\"\nint main() {\n  Cache cache;\n  cache.add(1);\n"
          "  std::thread a([&] { cache.get(); });\n  std::thread b([&] { cache.get(); });\n"
          "  a.join();\n  b.join();\n}\n");
    commit();
  }
  void write_cache(const std::string& lock) const {
    write("cache.h",
          "#include <mutex>\nclass Cache {\n public:\n  void add(int n) {\n    " + lock +
              "\n    sum_ += n;\n  }\n  int get() {\n    std::lock_guard<std::mutex> lock(mutex_);\n"
              "    return sum_;\n  }\n\n private:\n  std::mutex mutex_;\n  int sum_ = 0;\n};\n");
  }
  nlohmann::json select(const std::string& options) const {
    const ToolResult result = shell("heddle select --json - --base main " + options);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const size_t begin = result.out.find('{');
    return begin == std::string::npos ? nlohmann::json()
                                      : nlohmann::json::parse(result.out.substr(begin), nullptr, false);
  }
};

TEST_F(SelectCommand, TheTestsWhoseThreadsMeetTheChangeAndWhy) {
  run("heddle record --head main");
  write_cache("// quicker without the lock");
  const nlohmann::json found = select("--all");
  ASSERT_EQ(found["tests"].size(), 2u) << found;
  EXPECT_EQ(found["selected"], 1);
  EXPECT_EQ(found["tests"][0]["name"], "together");
  EXPECT_EQ(found["tests"][0]["selected"], true);
  const std::string reason = found["tests"][0]["reasons"][0];
  EXPECT_NE(reason.find("Cache::sum_"), std::string::npos) << reason;
  EXPECT_NE(reason.find("lock_guard"), std::string::npos) << reason;
  EXPECT_EQ(found["tests"][1]["name"], "apart");
  EXPECT_EQ(found["tests"][1]["selected"], false);

  const auto is_said_to_be_the_same = [&] {
    const ToolResult same = shell("heddle select --base main");
    EXPECT_EQ(same.exit_code, 0);
    EXPECT_EQ(same.out, "");
    EXPECT_NE(same.err.find("no test is selected"), std::string::npos) << same.err;
  };
  write_cache("std::lock_guard<std::mutex> lock(mutex_);  // as before");
  is_said_to_be_the_same();
  run("sed -i 's/sum_/total_/g; s/mutex_/guard_/g' cache.h");
  is_said_to_be_the_same();
}

// Names of the selected tests, in order.
std::vector<std::string> selected_of(const nlohmann::json& found) {
  std::vector<std::string> names;
  for (const nlohmann::json& test : found["tests"])
    if (test["selected"] == true) names.push_back(test["name"]);
  return names;
}

// What it calls is inlined, so that all its blocks have lines of the callee.
TEST_F(SelectCommand, AFunctionThatOnlyCallsWasExecuted) {
  write("cache.h",
        "#include <mutex>\nstruct Plain {\n  void add(int n) { sum_ += n; }\n  int sum_ = 0;\n};\n"
        "struct Cache : Plain {\n  void add(int n) {\n    std::lock_guard<std::mutex> lock(mutex_);\n"
        "    sum_ += n;\n  }\n  int get() {\n    std::lock_guard<std::mutex> lock(mutex_);\n"
        "    return sum_;\n  }\n  std::mutex mutex_;\n};\n");
  write("together.cpp",
        "#include <thread>\n#include \"cache.h\"\nCache cache;\nPlain plain;\nvoid one() {\n  "
        "cache.add(1);\n}\n"
        "void two() {\n  cache.add(2);\n}\nint main() {\n  plain.add(3);\n  std::thread a(one);\n"
        "  std::thread b(two);\n  a.join();\n  b.join();\n}\n");
  commit();
  run("heddle record --head main");
  run("sed -i 's/cache.add(2)/cache.Plain::add(2)/' together.cpp");
  EXPECT_EQ(selected_of(select("--all")), std::vector<std::string>{"together"});
}

TEST_F(SelectCommand, WithoutHistoryEveryTestIsSelectedAndThatIsSaid) {
  write_cache("");
  const ToolResult result = shell("heddle select --base main --explain");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("apart\n    it has no history"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("heddle record --head"), std::string::npos) << result.err;
}

TEST_F(SelectCommand, ARecordOfAnotherCommitServesWhereNothingThatTheTestExecutesHasChanged) {
  run("heddle record");  // of a working tree that is as committed
  // Everything moves, and one test does something else.
  run("sed -i '1i // the cache of the project' cache.h && "
      "sed -i 's/cache.add(1);/cache.add(3);/' apart.cpp");
  commit();
  write_cache("// quicker without the lock");
  const nlohmann::json found = select("--all");
  EXPECT_EQ(selected_of(found), (std::vector<std::string>{"together", "apart"})) << found;
  const std::string why = found["tests"][0]["reasons"][0];
  EXPECT_NE(why.find("Cache::sum_"), std::string::npos) << why;
  const std::string stale = found["tests"][1]["reasons"][0];
  EXPECT_NE(stale.find("has not been recorded"), std::string::npos) << stale;
}

TEST_F(SelectCommand, WhatNoTestExecutesSelectsNothingAndRemovedTestsAreNotMissed) {
  run("heddle record --head main");
  write("unused.cpp", "int unused() { return 1; }\n");
  run("sed -i 's/together apart/together/' CMakeLists.txt && git rm -q --cached apart.cpp && rm apart.cpp");
  const nlohmann::json found = select("--all");
  ASSERT_EQ(found["tests"].size(), 1u) << found;
  EXPECT_EQ(found["tests"][0]["name"], "together");
  EXPECT_EQ(found["selected"], 0) << found;
  EXPECT_EQ(found["removed_tests"], nlohmann::json({"apart"})) << found;
}

// Nothing that is compiled has changed, and still they do something else, or nobody knows what they do.
TEST_F(SelectCommand, NewTestsAndThoseThatAreRunOtherwiseAreSelected) {
  run("heddle record --head main");
  run("sed -i '$a add_test(NAME again COMMAND apart)' CMakeLists.txt && "
      "sed -i '$a set_tests_properties(together PROPERTIES ENVIRONMENT LOCKED=0)' CMakeLists.txt");
  const nlohmann::json found = select("");
  ASSERT_EQ(found["tests"].size(), 2u) << found;
  EXPECT_EQ(found["tests"][0]["name"], "again");
  EXPECT_EQ(found["tests"][1]["name"], "together");
  const std::string reason = found["tests"][1]["reasons"][0];
  EXPECT_NE(reason.find("other arguments or settings"), std::string::npos) << reason;
}

// Two workers take turns with jobs of two kinds: in the first execution that is looked at, one of them does
// both.
TEST_F(SelectCommand, WhoDoesWhichWorkOfAQueueIsNotTheSameUnderEverySchedule) {
  write("apart.cpp",
        "#include <atomic>\n#include <thread>\n#include \"cache.h\"\nint main() {\n  Cache cache;\n"
        "  std::atomic<int> next{0};\n  auto work = [&] {\n    for (int i; (i = next++) < 40;) {\n"
        "      if (i % 2 == 0) cache.get();\n      else cache.add(i);\n    }\n  };\n"
        "  std::thread a(work);\n  std::thread b(work);\n  a.join();\n  b.join();\n}\n");
  commit();
  run("heddle record --head main");
  write_cache("// quicker without the lock");
  const nlohmann::json found = select("");
  EXPECT_EQ(found["selected"], 2) << found;
}

TEST_F(SelectCommand, ATestThatCrashesOnTheBaseKeepsNoOtherFromBeingSelected) {
  write("apart.cpp", "#include <cstdlib>\nint main() { std::abort(); }\n");
  commit();
  EXPECT_EQ(shell("heddle record --head main").exit_code, 1);
  write_cache("");
  EXPECT_EQ(selected_of(select("")), std::vector<std::string>{"together"});
}

TEST_F(SelectCommand, RevisionsWithoutACommonAncestorAreSaid) {
  run("git checkout -q --orphan other");
  write_cache("");
  commit();
  const ToolResult result = shell("heddle select --base main --head other");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("no common ancestor"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace heddle
