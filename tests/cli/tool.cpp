#include "tool.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "execute/shell_words.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

void ToolTest::SetUp() {
  const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
  root_ = fs::canonical(::testing::TempDir());
  folder_ = root_ / ("heddle_cli_" + std::string(info->test_suite_name()) + info->name());
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

void ToolTest::TearDown() {
  fs::remove_all(folder_);
}

ToolResult ToolTest::shell(const std::string& line) const {
  const std::string bin = fs::path(HEDDLE_BINARY).parent_path().string();
  const std::string command = "cd " + shell_quoted(folder_.string()) +
                              " && export PATH=" + shell_quoted(bin) + ":$PATH COLUMNS=100" +
                              // The folder may lie in heddle's own repository, which is no test's business.
                              " GIT_CEILING_DIRECTORIES=" + shell_quoted(root_.string()) +
                              " && unset GITHUB_ACTIONS && { " + line + "\n} >.out 2>.err";
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(folder_ / ".out"),
          content_of(folder_ / ".err")};
}

ToolResult ToolTest::fake_shell(const std::string& line) const {
  return shell("export HEDDLE_RUNTIME_DIR=" + shell_quoted(HEDDLE_FAKE_RUNTIME) +
               " P=" + shell_quoted(HEDDLE_FAKE_PROGRAM) + "; " + line);
}

void ToolTest::write(const std::string& name, const std::string& content) const {
  std::ofstream(folder_ / name, std::ios::binary) << content;
}

std::string ToolTest::read(const std::string& name) const {
  return content_of(folder_ / name);
}

std::vector<std::string> ToolTest::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name != ".out" && name != ".err") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heddle
