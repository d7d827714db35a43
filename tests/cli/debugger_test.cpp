// `heddle replay --gdb` and `--lldb` as scripts use them.
#include "debugger_fixture.h"

namespace heddle {
namespace {

constexpr const char* kFails = R"(
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <sys/syscall.h>
#include <unistd.h>
std::mutex first, second;
int answer = 42;
void wait_for_each_other() {
  std::thread other([] {
    std::lock_guard one(first);
    std::lock_guard two(second);
  });
  {
    std::lock_guard two(second);
    std::lock_guard one(first);
  }
  other.join();
}
int main(int, char** arguments) {
  const std::string how = arguments[1];
  if (how == "deadlock") wait_for_each_other();
  if (how == "crash") *static_cast<volatile int*>(nullptr) = answer;
  if (how == "assertion") assert(answer == 43);
  if (how == "exit-code") return 5;
  if (how == "hang") syscall(SYS_pause);  // not under heddle's control
}
)";

class Gdb : public DebuggerTest {
 protected:
  std::string is_installed() const override { return kGdbIsInstalled; }
  Source source() const override { return {"fails.cpp", kFails}; }

  // Makes f.schedule, by a run that fails in this way (or not at all).
  ToolResult make_schedule(const std::string& how) {
    std::string options = "--output f.schedule --seeds 1-50";
    if (how == "hang") options = "--output f.schedule --no-learn --timeout 0.5";
    if (how == "ok") options = "--output f.schedule";
    return shell("heddle run " + options + " -- " + program_.string() + " " + how);
  }
};

TEST_F(Gdb, ReplayThatReproducesItsFailureIsOne) {
  for (const std::string how : {"deadlock", "crash", "assertion", "exit-code"}) {
    ASSERT_EQ(make_schedule(how).exit_code, 1) << how;
    const ToolResult gdb =
        shell("HEDDLE_GDB_ARGS='-batch -ex \"print answer\"' heddle replay --gdb f.schedule");
    EXPECT_EQ(gdb.exit_code, 1) << how << gdb.err;
    EXPECT_NE(gdb.err.find("heddle: reproduced: " + how), std::string::npos) << gdb.err;
    EXPECT_NE(gdb.out.find("$1 = 42"), std::string::npos) << gdb.out;
  }
}

TEST_F(Gdb, StackOfACrashBeginsWhereItHappened) {
  const ToolResult run = make_schedule("crash");
  EXPECT_NE(run.err.find("      #0  main  "), std::string::npos) << run.err;
}

TEST_F(Gdb, SelectsTheProgramsOwnFrame) {
  ASSERT_EQ(make_schedule("deadlock").exit_code, 1);
  const ToolResult gdb =
      shell("HEDDLE_GDB_ARGS='-batch -ex \"info symbol $pc\"' heddle replay --gdb f.schedule");
  EXPECT_NE(gdb.out.find("heddle_stop_here"), std::string::npos) << gdb.out << "where it stopped";
  EXPECT_NE(gdb.out.find(" wait_for_each_other () at fails.cpp:"), std::string::npos) << gdb.out;
}

TEST_F(Gdb, ShowsAllThreadsIfTheyAreKernelThreads) {
  ASSERT_EQ(make_schedule("deadlock").exit_code, 1);
  const ToolResult gdb = shell(
      "HEDDLE_GDB_ARGS='-batch -ex \"info threads\" -ex \"thread apply all bt\"' "
      "heddle replay --backend os --gdb f.schedule");
  EXPECT_EQ(gdb.exit_code, 1) << gdb.err;
  EXPECT_NE(gdb.out.find("\"main/1\""), std::string::npos) << gdb.out;
  EXPECT_NE(gdb.out.find("wait_for_each_other()::<lambda()>"), std::string::npos) << gdb.out;
  EXPECT_NE(gdb.out.find(" main ("), std::string::npos) << gdb.out;
}

TEST_F(Gdb, TakesCommandsFromAPipe) {
  ASSERT_EQ(make_schedule("assertion").exit_code, 1);
  const ToolResult gdb = shell("echo 'print answer' | heddle replay --gdb f.schedule");
  EXPECT_EQ(gdb.exit_code, 1) << gdb.err;
  EXPECT_NE(gdb.out.find("$1 = 42"), std::string::npos) << gdb.out;
  EXPECT_EQ(gdb.err.find("pipe"), std::string::npos) << gdb.err;
  const ToolResult both = shell("echo 'print answer' | heddle replay --gdb --stdin - f.schedule");
  EXPECT_EQ(both.exit_code, 2);
}

TEST_F(Gdb, ReplayWithoutAFailureIsZero) {
  ASSERT_EQ(make_schedule("ok").exit_code, 0);
  const ToolResult gdb = shell("heddle replay --gdb f.schedule </dev/null");
  EXPECT_EQ(gdb.exit_code, 0) << gdb.err;
  EXPECT_NE(gdb.err.find("the replay ran clean"), std::string::npos) << gdb.err;
}

TEST_F(Gdb, HangIsInterruptedWhereItHangs) {
  ASSERT_EQ(make_schedule("hang").exit_code, 1);
  const ToolResult gdb = shell("HEDDLE_GDB_ARGS='-batch -ex bt' heddle replay --gdb --timeout 3 f.schedule");
  EXPECT_EQ(gdb.exit_code, 1) << gdb.err;
  EXPECT_NE(gdb.err.find("reproduced: hang"), std::string::npos) << gdb.err;
}

TEST_F(Gdb, ScheduleThatCannotBeFollowedIsTwo) {
  ASSERT_EQ(make_schedule("deadlock").exit_code, 1);
  const std::string schedule = read("f.schedule");
  write("f.schedule", schedule.substr(0, schedule.find("choices ")) + "choices 1\n  main/9 1\nend\n");
  const ToolResult gdb = shell("heddle replay --gdb f.schedule </dev/null");
  EXPECT_EQ(gdb.exit_code, 2) << gdb.err;
  EXPECT_NE(gdb.err.find("wants main/9"), std::string::npos) << gdb.err;
}

class Lldb : public Gdb {
 protected:
  std::string is_installed() const override { return kLldbIsInstalled; }
};

TEST_F(Lldb, ReplayThatReproducesItsFailureIsOne) {
  for (const std::string how : {"deadlock", "crash", "assertion", "exit-code", "hang"}) {
    ASSERT_EQ(make_schedule(how).exit_code, 1) << how;
    const std::string timeout = how == "hang" ? " --timeout 3" : "";
    const ToolResult lldb = shell("echo 'print answer' | heddle replay --lldb f.schedule" + timeout);
    EXPECT_EQ(lldb.exit_code, 1) << how << lldb.err;
    EXPECT_NE(lldb.err.find("heddle: reproduced: " + how), std::string::npos) << lldb.err;
    EXPECT_NE(lldb.out.find("(int) 42"), std::string::npos) << lldb.out;
  }
}

TEST_F(Lldb, ReplayWithoutAFailureIsZero) {
  ASSERT_EQ(make_schedule("ok").exit_code, 0);
  const ToolResult lldb = shell("heddle replay --lldb f.schedule </dev/null");
  EXPECT_EQ(lldb.exit_code, 0) << lldb.err;
  EXPECT_NE(lldb.err.find("the replay ran clean"), std::string::npos) << lldb.err;
}

TEST_F(Lldb, ScheduleThatCannotBeFollowedIsTwo) {
  ASSERT_EQ(make_schedule("deadlock").exit_code, 1);
  const std::string schedule = read("f.schedule");
  write("f.schedule", schedule.substr(0, schedule.find("choices ")) + "choices 1\n  main/9 1\nend\n");
  const ToolResult lldb = shell("heddle replay --lldb f.schedule </dev/null");
  EXPECT_EQ(lldb.exit_code, 2) << lldb.err;
  EXPECT_NE(lldb.err.find("wants main/9"), std::string::npos) << lldb.err;
}

}  // namespace
}  // namespace heddle
