// `heddle impact` on a real project: what of a test is new.
#include <fstream>

#include <nlohmann/json.hpp>

#include "git_project.h"

namespace heddle {
namespace {

class ImpactCommand : public GitProjectTest {
 protected:
  void SetUp() override {
    GitProjectTest::SetUp();
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.20)\nproject(stock CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
          "find_package(Threads REQUIRED)\nenable_testing()\nadd_executable(buyers buyers.cpp)\n"
          "target_link_libraries(buyers Threads::Threads)\nadd_test(NAME buyers COMMAND buyers)\n");
    write_stock("", "std::lock_guard<std::mutex> lock(mutex_);");
    commit();
  }
  void write_stock(const std::string& before, const std::string& lock) const {
    write("buyers.cpp", "#include <mutex>\n#include <thread>\n" + before +
                            "class Stock {\n public:\n  void take() {\n    " + lock +
                            "\n    if (left_ > 0) --left_;\n  }\n  int left() {\n"
                            "    std::lock_guard<std::mutex> lock(mutex_);\n    return left_;\n  }\n\n"
                            " private:\n  std::mutex mutex_;\n  int left_ = 2;\n};\n"
                            "int main() {\n  Stock stock;\n  std::thread a([&] { stock.take(); });\n"
                            "  std::thread b([&] { stock.take(); });\n  a.join();\n  b.join();\n"
                            "  return stock.left();\n}\n");
  }
};

TEST_F(ImpactCommand, TellsWhichAccessesAreUnderOtherLocksAndNothingElse) {
  write_stock("", "// quicker");
  const ToolResult told = shell("heddle impact --base main --json impact.json -- buyers");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_NE(told.out.find("now under nothing"), std::string::npos) << told.out;
  std::ifstream file(folder_ / "impact.json");
  const nlohmann::json found = nlohmann::json::parse(file, nullptr, false);
  ASSERT_FALSE(found["impacted"].empty());
  for (const nlohmann::json& one : found["impacted"]) {
    EXPECT_EQ(one["reason"], "lockset") << one;
    EXPECT_EQ(one["site"]["file"], "buyers.cpp");
    EXPECT_EQ(one["site"]["line"], 7) << one;
  }
  EXPECT_GT(found["accesses"], found["impacted"].size());

  // Comments, and an unrelated function before it all.
  write_stock("int unrelated() { return 1; }\n", "std::lock_guard<std::mutex> lock(mutex_);  // as before");
  const ToolResult same = shell("heddle impact --base main -- buyers");
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_NE(same.out.find("buyers: 0 of "), std::string::npos) << same.out;

  const ToolResult unknown = shell("heddle impact --base main -- sellers");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_NE(unknown.err.find("there is no test sellers"), std::string::npos) << unknown.err;
  EXPECT_EQ(shell("heddle impact --base main").exit_code, 2);
  const ToolResult empty = shell("heddle impact --base main --head '' -- buyers");
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_NE(empty.err.find("leave --head out"), std::string::npos) << empty.err;

  // A test that only the head has, and that fails there.
  run("sed -i '$a add_test(NAME anew COMMAND buyers twice)' CMakeLists.txt && "
      "sed -i 's/return stock.left();/return 7;/' buyers.cpp");
  const ToolResult anew = shell("heddle impact --base main -- anew");
  EXPECT_EQ(anew.exit_code, 0) << anew.err;
  EXPECT_NE(anew.err.find("anew is new"), std::string::npos) << anew.err;
  EXPECT_NE(anew.err.find("fails on the head (exit-code"), std::string::npos) << anew.err;
}

}  // namespace
}  // namespace heddle
