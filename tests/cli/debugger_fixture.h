// Tests that debug a program of their own. It is built once for all tests of a suite.
#pragma once

#include "tool.h"

namespace heddle {

inline constexpr const char* kGdbIsInstalled = "command -v gdb";
inline constexpr const char* kLldbIsInstalled = "command -v lldb || command -v lldb-19";

class DebuggerTest : public ToolTest {
 protected:
  struct Source {
    std::string name;  // "fails.cpp"
    std::string text;
  };

  static void TearDownTestSuite() {
    std::filesystem::remove(program_);
    program_.clear();
  }

  void SetUp() override {
    ToolTest::SetUp();
    if (shell(is_installed()).exit_code != 0) GTEST_SKIP() << "the debugger is not installed";
    if (!program_.empty()) return;
    const Source program = source();
    const auto binary =
        std::filesystem::path(::testing::TempDir()) / ("heddle_cli_" + program.name + ".program");
    write(program.name, program.text);
    const ToolResult built = shell("heddle c++ -std=c++17 -O1 " + program.name + " -o " + binary.string());
    ASSERT_EQ(built.exit_code, 0) << built.err;
    program_ = binary;
  }

  // A shell command that succeeds if the debugger is there.
  virtual std::string is_installed() const = 0;
  virtual Source source() const = 0;

  static inline std::filesystem::path program_;  // empty: not built yet
};

}  // namespace heddle
