// What the commands that read traces do with files that are not what they should be.
#include "tool.h"
#include "trace/std_text.h"
#include "trace/trace_builder.h"
#include "trace/trace_file.h"

namespace heddle {
namespace {

constexpr const char* kShortRace = "main|fork(t)|1\nmain|w(x)|2\nt|w(x)|3\n";

class InputFiles : public ToolTest {
 protected:
  void write_trace(const std::string& name, const trace::Trace& trace) const {
    ASSERT_TRUE(trace::write_trace((folder_ / name).string(), trace));
  }
  void expect_refused(const std::string& line, const std::string& why) const {
    const ToolResult result = shell(line);
    EXPECT_EQ(result.exit_code, 2) << line << result.err;
    EXPECT_NE(result.err.find(why), std::string::npos) << line << result.err;
  }
};

TEST_F(InputFiles, OrdersThatCannotBeAreRefusedByEveryAnalysis) {
  trace::TraceBuilder b;
  b.main_thread().fork();
  b.tables().events.push_back(b.tables().events.front());
  write_trace("bad.trace", b.build());
  for (const std::string command : {"detect", "predict", "trace export"})
    expect_refused("heddle " + command + " bad.trace", "bad.trace cannot be what happened, at event 2");
}

TEST_F(InputFiles, TracesComeThroughPipesAndTheStandardInput) {
  write("race.std", kShortRace);
  ASSERT_EQ(shell("heddle trace import race.std race.trace").exit_code, 0);
  for (const std::string command : {"detect", "predict"}) {
    for (const std::string input : {" - < race.trace", " - < race.std"}) {
      const ToolResult result = shell("heddle " + command + input);
      EXPECT_EQ(result.exit_code, 1) << command << input << result.err;
    }
    EXPECT_EQ(shell("cat race.trace | heddle " + command + " -").exit_code, 1);
    EXPECT_EQ(shell("cat race.trace | heddle " + command + " /dev/stdin").exit_code, 1);
  }
  EXPECT_EQ(shell("cat race.trace | heddle trace export -").out, kShortRace);
  EXPECT_EQ(shell("heddle trace stats - < race.trace").exit_code, 0);
}

TEST_F(InputFiles, AFileIsNotReplacedByWhatIsMadeOfIt) {
  write("race.std", kShortRace);
  expect_refused("heddle trace import race.std ./race.std", "are the same file");
  EXPECT_EQ(read("race.std"), kShortRace);
  ASSERT_EQ(shell("heddle trace import race.std race.trace").exit_code, 0);
  const std::string before = read("race.trace");
  expect_refused("ln -s race.trace link; heddle trace export race.trace link", "are the same file");
  EXPECT_EQ(read("race.trace"), before);
}

TEST_F(InputFiles, JsonGoesToTheStandardOutputIfItIsCalledMinus) {
  write("race.std", kShortRace);
  const ToolResult result = shell("heddle detect --json - race.std");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_TRUE(result.out.starts_with("{")) << result.out;
  EXPECT_EQ(files(), std::vector<std::string>{"race.std"});
}

TEST_F(InputFiles, ErrorsDoNotRepeatAMegabyte) {
  write("race.std", kShortRace);
  const std::string megabyte(1 << 20, 'x');
  write("list", megabyte + ":f\n");
  write("bad.schedule", "heddle-schedule 1\n" + megabyte + "\n");
  for (const std::string line :
       {"heddle detect --suppressions list race.std", "heddle replay bad.schedule"}) {
    const ToolResult result = shell(line);
    EXPECT_EQ(result.exit_code, 2) << line;
    EXPECT_LT(result.err.size(), 1000u) << line;
    EXPECT_NE(result.err.find("xxx…xxx"), std::string::npos) << result.err.substr(0, 1000);
  }
}

TEST_F(InputFiles, NothingToLookAtIsNoCleanResult) {
  write("empty", "");
  for (const std::string command : {"detect", "predict"}) {
    expect_refused("heddle " + command + " empty", "empty has no events");
    expect_refused("heddle " + command + " /dev/null", "/dev/null has no events");
    expect_refused("heddle " + command + " - < empty", "standard input has no events");
    EXPECT_EQ(shell("heddle " + command + " - <&-").exit_code, 2) << command;
  }
}

}  // namespace
}  // namespace heddle
