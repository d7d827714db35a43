// `heddle impact` on a real project: what of a test is new.
#include <fstream>

#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

class ImpactCommand : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    folder_ /= "project";
    std::filesystem::create_directory(folder_);
    run("git init -q -b main . && git config user.email a@b && git config user.name a && "
        "git config commit.gpgsign false && printf '.out\\n.err\\n' >>.git/info/exclude");
    write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.20)\nproject(stock CXX)\nset(CMAKE_CXX_STANDARD 20)\n"
          "find_package(Threads REQUIRED)\nenable_testing()\nadd_executable(buyers buyers.cpp)\n"
          "target_link_libraries(buyers Threads::Threads)\nadd_test(NAME buyers COMMAND buyers)\n");
    write_stock("", "std::lock_guard<std::mutex> lock(mutex_);");
    run("git add -A . && git commit -q -m first");
  }
  void TearDown() override {
    folder_ = folder_.parent_path();
    ToolTest::TearDown();
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
  void run(const std::string& line) const {
    const ToolResult result = shell(line);
    ASSERT_EQ(result.exit_code, 0) << line << result.err;
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
}

}  // namespace
}  // namespace heddle
