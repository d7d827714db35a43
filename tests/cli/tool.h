// Running the heddle binary as a user does, in a folder of the test's own.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace heddle {

struct ToolResult {
  int exit_code = -1;
  std::string out;
  std::string err;
};

class ToolTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Runs a shell command line in the test's folder; `heddle` in it is the binary under test.
  ToolResult shell(const std::string& line) const;
  // The same with the runtime that tests/execute describes.
  ToolResult fake_shell(const std::string& line) const;

  // For tests that share a folder and make it themselves.
  void set_root(const std::filesystem::path& root) { root_ = root; }

  void write(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;
  std::vector<std::string> files() const;

  std::filesystem::path folder_;

 private:
  std::filesystem::path root_;  // above the folder
};

}  // namespace heddle
