// A test in a git repository of its own.
#pragma once

#include <string>

#include "tool.h"

namespace heddle {

class GitProjectTest : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    folder_ /= "project";
    std::filesystem::create_directory(folder_);
    run("git init -q -b main . && git config user.email a@b && git config user.name a && "
        "git config commit.gpgsign false && printf '.out\\n.err\\n' >>.git/info/exclude");
  }
  void TearDown() override {
    folder_ = folder_.parent_path();
    ToolTest::TearDown();
  }
  void run(const std::string& line) const {
    const ToolResult result = shell(line);
    ASSERT_EQ(result.exit_code, 0) << line << result.err;
  }
  void commit() const { run("git add -A . && git commit -q -m next"); }
};

}  // namespace heddle
