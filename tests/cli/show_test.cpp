// `heddle change show` and `heddle program show` on a small git project. Nothing is built.
#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

constexpr const char* kHeader =
    "#pragma once\n#include <mutex>\n"
    "struct Cache {\n"
    "  void put(int key);\n"
    "  int size() const { return size_; }\n"
    "  std::mutex mutex_;\n"
    "  int size_ = 0;\n"
    "};\n";

constexpr const char* kSource =
    "#include \"cache.h\"\n"
    "void Cache::put(int key) {\n"
    "  std::lock_guard<std::mutex> lock(mutex_);\n"
    "  if (key > 0)\n"
    "    size_ = size_ + 1;\n"
    "}\n";

constexpr const char* kMain =
    "#include <thread>\n"
    "#include \"cache.h\"\n"
    "Cache cache;\n"
    "void work() { cache.put(1); }\n"
    "int main() {\n"
    "  std::thread thread(work);\n"
    "  work();\n"
    "  thread.join();\n"
    "  return cache.size();\n"
    "}\n";

class ShowCommands : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    git("init -q -b main . && git config user.email a@b && git config user.name a && git config "
        "commit.gpgsign false");
    write("cache.h", kHeader);
    write("cache.cpp", kSource);
    write("main.cpp", kMain);
    git("add . && git commit -q -m first");
  }
  void git(const std::string& words) const {
    const ToolResult result = shell("git " + words);
    ASSERT_EQ(result.exit_code, 0) << words << result.err;
  }
  void replace(const std::string& file, const std::string& what, const std::string& by) const {
    std::string text = read(file);
    const size_t at = text.find(what);
    ASSERT_NE(at, std::string::npos) << what;
    write(file, text.replace(at, what.size(), by));
  }
  void expect_told(const ToolResult& result, const std::vector<std::string>& lines) const {
    for (const std::string& line : lines)
      EXPECT_NE(result.out.find(line), std::string::npos) << line << "\nin\n" << result.out << result.err;
  }
};

TEST_F(ShowCommands, AChangeIsToldInStatements) {
  replace("cache.cpp", "  std::lock_guard<std::mutex> lock(mutex_);\n", "");
  replace("cache.h", "int size_ = 0", "long size_ = 0");
  git("mv main.cpp start.cpp");
  write("README", "not a program");
  const ToolResult result = shell("heddle change show --base main");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  expect_told(result,
              {"README  (added, not C or C++)\n", "start.cpp  (was main.cpp)\n",
               "cache.cpp\n  Cache::put(int)\n    -     3  std::lock_guard<std::mutex> lock(mutex_);\n",
               "    ~     4  size_ = size_ + 1;   (field Cache::size_ was `int`, is `long`)\n",
               "declarations\n  ~ field Cache::size_: long size_ = 0;, was int size_ = 0;\n"});
  EXPECT_NE(result.err.find("the working tree against main: 4 files, 1 declaration, "), std::string::npos)
      << result.err;
}

TEST_F(ShowCommands, FilesThatUseWhatHasChangedAreReadAsWell) {
  replace("cache.h", "int size_ = 0", "std::atomic<int> size_ = 0");
  git("add . && git commit -q -m atomic");
  const ToolResult result = shell("heddle change show --base HEAD~1 --head HEAD --json -");
  const nlohmann::json told = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_FALSE(told.is_discarded()) << result.out << result.err;
  EXPECT_EQ(told["files"].size(), 1u);
  bool found = false;
  for (const auto& statement : told["statements"]) {
    found = found || (statement["after"]["file"] == "cache.cpp" && statement["reason"] == "declaration" &&
                      statement["after"]["line"] == 5);
  }
  EXPECT_TRUE(found) << told.dump(1);
}

TEST_F(ShowCommands, FormattingIsNoChange) {
  replace("cache.cpp", "  if (key > 0)\n    size_", "  // Only those that count.\n  if (key   >   0) size_");
  const ToolResult result = shell("heddle change show --base main");
  EXPECT_EQ(result.out, "cache.cpp  (layout and comments only)\n");
  EXPECT_NE(result.err.find("1 file, 0 declarations, 0 functions, 0 statements"), std::string::npos)
      << result.err;
}

TEST_F(ShowCommands, RevisionsThatAreNotThereAreRefused) {
  for (const std::string line : {"change show --base nowhere", "change show --base main --head nowhere"}) {
    const ToolResult result = shell("heddle " + line);
    EXPECT_EQ(result.exit_code, 2) << line;
    EXPECT_NE(result.err.find("git knows no revision 'nowhere'"), std::string::npos) << result.err;
  }
  EXPECT_EQ(shell("mkdir sub && cd sub && heddle change show --base main").exit_code, 0);
  const ToolResult outside =
      shell("rm -rf .git && GIT_CEILING_DIRECTORIES=\"${PWD%/*}\" heddle change show --base main");
  EXPECT_EQ(outside.exit_code, 2);
  EXPECT_NE(outside.err.find("is not in a git repository"), std::string::npos) << outside.err;
}

TEST_F(ShowCommands, AFunctionIsShownWithItsLocksAndWhatItShares) {
  const std::string folder = folder_.string();
  nlohmann::json commands = nlohmann::json::array();
  for (const std::string file : {"cache.cpp", "main.cpp"})
    commands.push_back({{"directory", folder}, {"file", file}, {"command", "g++ -c -pthread " + file}});
  shell("mkdir build");
  write("build/compile_commands.json", commands.dump());
  const ToolResult put = shell("heddle program show Cache::put --build build");
  EXPECT_EQ(put.exit_code, 0) << put.err;
  expect_told(
      put,
      {"Cache::put  cache.cpp:2\n", "  std::lock_guard<std::mutex> lock(mutex_);\n",
       "holds this->mutex_\n           reads this->size_, shared\n           writes this->size_, shared\n",
       " if true\n"});
  EXPECT_NE(put.err.find("2 units, 2 read again, "), std::string::npos) << put.err;

  const ToolResult main = shell("heddle program show main --build build");
  expect_told(main, {"starts a thread with work\n"});
  EXPECT_NE(main.err.find("2 units, 0 read again, "), std::string::npos) << main.err;

  const ToolResult none = shell("heddle program show Cache::get --build build");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("the program has no function Cache::get"), std::string::npos) << none.err;
  EXPECT_EQ(shell("heddle program show Cache::put --build nowhere").exit_code, 2);
}

}  // namespace
}  // namespace heddle
