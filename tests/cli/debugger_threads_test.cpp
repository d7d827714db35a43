// All threads of a program in a debugger, also those that do not run: `heddle threads` and the like in gdb,
// the threads of lldb.
#include <algorithm>

#include <fmt/format.h>

#include "debugger_fixture.h"

namespace heddle {
namespace {

constexpr const char* kDinner = R"(#include <pthread.h>
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
struct Table {
  std::mutex forks[3];
};
Table table;
std::mutex door;
std::atomic<bool> arrived;
void eat(int seat, const char* name) {
  volatile int portion = 100 + seat;
  pthread_setname_np(pthread_self(), name);
  std::lock_guard left(table.forks[seat]);
  std::lock_guard right(table.forks[(seat + 1) % 3]);
  portion = 0;
}
void wait_outside(std::mutex& entrance) {
  volatile int hunger = 7;
  arrived = true;
  std::lock_guard inside(entrance);
  hunger = 0;
}
void drop(int* plate) { *plate = 1; }
int main(int, char** arguments) {
  if (std::string(arguments[1]) == "deadlock") {
    const char* names[] = {"ann", "bob", "cleo"};
    std::thread guests[3];
    for (int i = 0; i < 3; ++i) guests[i] = std::thread(eat, i, names[i]);
    for (std::thread& guest : guests) guest.join();
  }
  if (std::string(arguments[1]) == "crash") {
    std::lock_guard closed(door);
    std::thread late(wait_outside, std::ref(door));
    while (!arrived) std::this_thread::yield();
    std::thread early([] {});
    early.join();
    std::thread waiter(drop, nullptr);
    waiter.join();
    late.join();
  }
}
)";

// Columns are as wide as what is in them.
std::string with_single_blanks(std::string text) {
  const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both_blank), text.end());
  return text;
}

// The parameter is the backend.
class DebuggerThreads : public DebuggerTest, public ::testing::WithParamInterface<std::string> {
 protected:
  Source source() const override { return {"dinner.cpp", kDinner}; }

  void make_schedule(const std::string& how) {
    const ToolResult run =
        shell("heddle run --seeds 1-500 --output f.schedule -- " + program_.string() + " " + how);
    ASSERT_EQ(run.exit_code, 1) << run.err;
    ASSERT_NE(run.err.find(how + ": "), std::string::npos) << run.err;
  }

  static void expect(const ToolResult& result, const std::string& text) {
    EXPECT_NE(with_single_blanks(result.out).find(text), std::string::npos) << "no " << text << " in\n"
                                                                            << result.out << result.err;
  }
};

class GdbThreads : public DebuggerThreads {
 protected:
  std::string is_installed() const override { return kGdbIsInstalled; }

  ToolResult gdb(const std::vector<std::string>& commands, const std::string& before = "") {
    std::string words = "-batch";
    for (const std::string& command : commands) words += " -ex \"" + command + "\"";
    ToolResult result = shell(before + " HEDDLE_GDB_ARGS='" + words + "' heddle replay --gdb --backend " +
                              GetParam() + " f.schedule");
    EXPECT_EQ(result.exit_code, 1) << result.err;
    for (const char* trouble : {"Python Exception", "Traceback", "Error"})
      EXPECT_EQ(result.err.find(trouble), std::string::npos) << result.err;
    return result;
  }
};

TEST_P(GdbThreads, AreListedWithWhatTheyWaitFor) {
  make_schedule("deadlock");
  const ToolResult threads = gdb({"heddle threads"});
  expect(threads, "\n 1 main waits for main/1 to end main at dinner.cpp:31\n");
  expect(threads,
         "\n* 2 main/1 \"ann\" waits for mutex `table.forks[1]` held by main/2 eat at dinner.cpp:16\n");
  expect(threads,
         "\n 3 main/2 \"bob\" waits for mutex `table.forks[2]` held by main/3 eat at dinner.cpp:16\n");
  expect(threads,
         "\n 4 main/3 \"cleo\" waits for mutex `table.forks[0]` held by main/1 eat at dinner.cpp:16\n");
}

TEST_P(GdbThreads, CanBeLookedAt) {
  make_schedule("deadlock");
  const ToolResult variables =
      gdb({"heddle thread main/1", "print portion", "heddle thread bob", "info locals", "heddle thread 4",
           "down", "up", "print portion", "heddle threads", "print portion"});
  expect(variables, "[main/1 \"ann\" waits for mutex `table.forks[1]` held by main/2]\n");
  expect(variables, "$1 = 100\n");
  expect(variables, "portion = 101\n");
  expect(variables, "$2 = 102\n");
  expect(variables, "\n* 4 main/3 ");
  expect(variables, "$3 = 102\n");
}

TEST_P(GdbThreads, HaveStacks) {
  make_schedule("deadlock");
  const ToolResult stacks = gdb({"heddle backtrace all"});
  for (const char* name : {"ann", "bob", "cleo"})
    expect(stacks, fmt::format("\"{}\") at dinner.cpp:16\n", name));
  expect(stacks, "1 main: waits for main/1 to end\n");
  expect(stacks, " main (");
  EXPECT_EQ(stacks.out.find("heddle::rt::", stacks.out.find("1  main: ")), std::string::npos) << stacks.out;
  expect(gdb({"heddle thread cleo", "backtrace"}), " heddle::rt::point (");
}

TEST_P(GdbThreads, AreForgottenWhenTheProgramContinues) {
  make_schedule("deadlock");
  // Right after the end gdb sometimes still believes in the process; there is one line in any case.
  const ToolResult gone = gdb({"heddle thread main/3", "continue", "heddle threads"});
  EXPECT_TRUE(gone.err.find("heddle: there is no process") != std::string::npos ||
              gone.err.find("heddle: the threads cannot be read") != std::string::npos)
      << gone.err;
  EXPECT_EQ(gone.err.find("Python Exception"), std::string::npos) << gone.err;
  const ToolResult killed = gdb({"heddle thread main/3", "kill", "heddle thread main/3"});
  EXPECT_NE(killed.err.find("heddle: there is no process"), std::string::npos) << killed.err;
  make_schedule("crash");
  expect(gdb({"heddle thread main", "stepi", "heddle thread"}), "[main/3 is running]\n");
}

TEST_P(GdbThreads, OfACrashAreListedToo) {
  make_schedule("crash");
  const ToolResult threads =
      gdb({"heddle threads", "heddle thread main/1", "print hunger", "heddle thread main/2"});
  expect(threads, "\n 1 main waits for main/3 to end main at dinner.cpp:40\n");
  expect(threads, "\n 2 main/1 waits for mutex `door` held by main wait_outside at dinner.cpp:22\n");
  expect(threads, "\n 3 main/2 finished\n");
  expect(threads, "\n* 4 main/3 running drop at dinner.cpp:25\n");
  expect(threads, "$1 = 7\n");
  EXPECT_NE(threads.err.find("heddle: main/2 has finished"), std::string::npos) << threads.err;
}

TEST_P(GdbThreads, NeedTheDebugInformationOfTheRuntime) {
  make_schedule("deadlock");
  const std::string runtime = std::filesystem::path(HEDDLE_BINARY).parent_path() / "../lib/heddle";
  ASSERT_EQ(shell("cp -r " + runtime + " runtime && strip runtime/libheddle_rt.so").exit_code, 0);
  const ToolResult told = gdb({"heddle threads"}, "HEDDLE_RUNTIME_DIR=runtime");
  EXPECT_NE(told.err.find("runtime has no debug information"), std::string::npos) << told.err;
}

// Without the tool, and as a user loads the script.
TEST_P(GdbThreads, AreShownInAnyProcessUnderTheRuntime) {
  const std::string runtime = std::filesystem::path(HEDDLE_BINARY).parent_path().parent_path() / "lib/heddle";
  const std::string source = " -ex 'source " + runtime + "/debugger/heddle_gdb.py'";
  const ToolResult early = shell("gdb -q -batch" + source + " -ex 'heddle threads' " + program_.string());
  EXPECT_NE(early.err.find("heddle: there is no process"), std::string::npos) << early.err;
  const ToolResult threads =
      shell("gdb -q -batch" + source + " -ex 'set startup-with-shell off' -ex 'set environment LD_PRELOAD " +
            runtime + "/libtsan.so.2' -ex 'set environment HEDDLE_OPTIONS backend=" + GetParam() +
            "' -ex 'break drop' -ex 'run crash' -ex 'heddle threads' -ex 'heddle thread main/1'" +
            " -ex 'print hunger' -ex next -ex 'heddle threads' " + program_.string());
  expect(threads, "\n 2 main/1 waits for mutex `door` held by main wait_outside at dinner.cpp:22\n");
  expect(threads, "\n* 4 main/3 running drop at dinner.cpp:25\n");
  expect(threads, "$1 = 7\n");
  EXPECT_EQ(threads.err.find("Python"), std::string::npos) << threads.err;
}

TEST_P(GdbThreads, AreShownInCoreFiles) {
  const std::string runtime = std::filesystem::path(HEDDLE_BINARY).parent_path().parent_path() / "lib/heddle";
  shell("ulimit -c unlimited; HEDDLE_OPTIONS=backend=" + GetParam() + " LD_PRELOAD=" + runtime +
        "/libtsan.so.2 " + program_.string() + " crash");
  const ToolResult core = shell("ls core*");
  if (core.exit_code != 0) GTEST_SKIP() << "this machine writes no core files, or elsewhere";
  const ToolResult threads =
      shell("gdb -q -batch -ex 'source " + runtime +
            "/debugger/heddle_gdb.py' -ex 'heddle threads' -ex 'heddle thread main/1'" +
            " -ex 'print hunger' " + program_.string() + " core*");
  expect(threads, "\n 2 main/1 waits for mutex `door` held by main wait_outside at dinner.cpp:22\n");
  expect(threads, "\n* 4 main/3 running drop at dinner.cpp:25\n");
  expect(threads, "$1 = 7\n");
}

class LldbThreads : public DebuggerThreads {
 protected:
  std::string is_installed() const override { return kLldbIsInstalled; }

  ToolResult lldb(const std::string& commands) {
    ToolResult result =
        shell("printf '" + commands + "' | heddle replay --lldb --backend " + GetParam() + " f.schedule");
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_EQ(result.err.find("Traceback"), std::string::npos) << result.err;
    return result;
  }
};

TEST_P(LldbThreads, AreListedAndHaveStacks) {
  make_schedule("deadlock");
  const ToolResult threads = lldb("thread list\\nframe variable portion\\nthread backtrace all\\n");
  for (const char* seat : {"0", "1", "2"}) expect(threads, fmt::format("`eat(seat={}, ", seat));
  expect(threads, "(volatile int) portion = 100\n");
  expect(threads, "dinner.cpp:31:");
  if (GetParam() == "fibers") {
    expect(threads, "name = 'main/2 \"bob\"', queue = 'waits for mutex `table.forks[2]` held by main/3'");
    expect(threads, "name = 'main', queue = 'waits for main/1 to end'");
  } else {
    expect(threads, "name = 'bob'");
  }
}

TEST_P(LldbThreads, OfACrashAreListedToo) {
  make_schedule("crash");
  const ToolResult threads = lldb("thread backtrace all\\ncontinue\\n");
  EXPECT_NE(threads.err.find("heddle: reproduced: crash"), std::string::npos) << threads.err;
  expect(threads, "wait_outside(entrance=");
  expect(threads, "drop(plate=0x0000000000000000) at dinner.cpp:25");
}

std::string backend_name(const ::testing::TestParamInfo<std::string>& info) {
  return info.param;
}
INSTANTIATE_TEST_SUITE_P(Backends, GdbThreads, ::testing::Values("fibers", "os"), backend_name);
INSTANTIATE_TEST_SUITE_P(Backends, LldbThreads, ::testing::Values("fibers", "os"), backend_name);

}  // namespace
}  // namespace heddle
