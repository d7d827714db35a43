// Schedules that heddle::explore() writes, under the tool.
#include "tool.h"

namespace heddle {
namespace {

// The second exploration fails; in the first one its schedule would not even fit.
constexpr const char* kExplores = R"(
#include <heddle/heddle.h>
#include <cassert>
#include <mutex>
#include <thread>
struct Account {
  int balance = 0;
  int deposits = 0;
};
void deposit_twice() {
  Account account;
  heddle_atomic_set("sum", &account.balance, sizeof account.balance);
  heddle_atomic_set("sum", &account.deposits, sizeof account.deposits);
  auto deposit = [&] {
    account.balance += 5;
    account.deposits++;
  };
  std::thread first(deposit), second(deposit);
  first.join();
  second.join();
  assert(account.balance == 10);
}
void lock_twice() {
  std::mutex mutex;
  std::thread other([&] { std::lock_guard<std::mutex> lock(mutex); });
  { std::lock_guard<std::mutex> lock(mutex); }
  other.join();
}
int main() {
  heddle::Options options;
  options.name = "lock twice";
  options.executions = 100;
  if (!heddle::explore(lock_twice, options).ok()) return 2;
  options.name = "deposit twice";
  options.executions = 1000;
  const heddle::Result result = heddle::explore(deposit_twice, options);
  return result.controlled && result.kind == "assertion" ? 0 : 3;
}
)";
constexpr const char* kSchedule = "heddle-deposit-twice-assertion.schedule";

// Explorations that fail or assume, one that uses up all there is, and then the one whose schedule is wanted.
// Its verdict is the framework's, and comes after the body.
constexpr const char* kFailsBefore = R"(
#include <heddle/heddle.h>
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <mutex>
#include <thread>
bool failed;
void expect_order() {
  std::atomic<int> order{0};
  int first_saw = 0;
  std::thread first([&] { first_saw = ++order; });
  std::thread second([&] { ++order; });
  first.join();
  second.join();
  failed = first_saw != 1;
}
bool ask_framework() {
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  return failed;
}
int main(int, char**) {
  heddle::Options options;
  options.folder = "";
  options.executions = 10;
  options.keep_going = true;
  int passed = 0;
  heddle::explore([] { assert(false); }, options);
  heddle::explore([&] { heddle_assume(false); passed++; }, options);
  heddle::explore([] { heddle_fail("fails"); }, options);
  heddle::explore([] { std::exit(3); }, options);
  heddle::explore([] { std::mutex mutex; mutex.lock(); mutex.lock(); }, options);
  heddle::explore([] { std::thread([] { throw 1; }).join(); }, options);
  if (passed != 0) return 4;
  if (std::getenv("ENDS_EARLY") != nullptr) std::_Exit(5);
  if (std::getenv("DIES_EARLY") != nullptr) std::abort();
  if (std::getenv("DEADLOCKS_EARLY") != nullptr) { std::mutex mutex; mutex.lock(); mutex.lock(); }
  options.name = "order";
  options.folder = ".";
  options.executions = 1000;
  options.keep_going = false;
  options.failed = ask_framework;
  const heddle::Result result = heddle::explore(expect_order, options);
  return result.kind == "assertion" ? 0 : 5;
}
)";
constexpr const char* kOrderSchedule = "heddle-order-assertion.schedule";

// The program is built and run once; each test gets what came of it in its own folder.
class Exploration : public ToolTest {
 protected:
  static void SetUpTestSuite() {
    shared_ = std::filesystem::path(::testing::TempDir()) / "heddle_cli_exploration";
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(shared_); }

  void SetUp() override {
    ToolTest::SetUp();
    if (!is_built_) build();
    for (const char* file : {"explores.cpp", "explores", kSchedule}) {
      ASSERT_TRUE(std::filesystem::copy_file(shared_ / file, folder_ / file)) << file;
    }
  }

  void build() {
    std::filesystem::remove_all(shared_);
    write("explores.cpp", kExplores);
    const ToolResult built =
        shell("heddle c++ -std=c++17 -O1 -g -I" HEDDLE_INCLUDE " explores.cpp -o explores");
    ASSERT_EQ(built.exit_code, 0) << built.err;
    const ToolResult explored = shell("LD_LIBRARY_PATH=" HEDDLE_RUNTIME " ./explores");
    ASSERT_EQ(explored.exit_code, 0) << explored.err;
    is_built_ = true;
    std::filesystem::rename(folder_, shared_);
    std::filesystem::create_directory(folder_);
  }

  static inline std::filesystem::path shared_;
  static inline bool is_built_ = false;
};

TEST_F(Exploration, ScheduleNamesTheExploration) {
  EXPECT_NE(read(kSchedule).find("\nexploration 2 \"deposit twice\"\n"), std::string::npos)
      << read(kSchedule);
}

TEST_F(Exploration, IsReplayedTwentyTimesWithTheSameTrace) {
  std::string trace;
  for (int i = 0; i < 20; ++i) {
    const ToolResult replay = shell(std::string("heddle replay --record t.trace ") + kSchedule);
    ASSERT_EQ(replay.exit_code, 1) << replay.err;
    EXPECT_NE(replay.err.find("reproduced: assertion"), std::string::npos) << replay.err;
    EXPECT_NE(replay.err.find("account.balance == 10"), std::string::npos) << replay.err;
    if (i == 0) trace = read("t.trace");
    EXPECT_EQ(read("t.trace"), trace);
  }
}

TEST_F(Exploration, AtomicSetsAreInTheTrace) {
  shell(std::string("heddle replay --record t.trace ") + kSchedule);
  const ToolResult dump = shell("heddle trace dump t.trace");
  ASSERT_EQ(dump.exit_code, 0) << dump.err;
  size_t sets = 0;
  for (size_t at = dump.out.find("atomic-set"); at != std::string::npos;
       at = dump.out.find("atomic-set", at + 1)) {
    ++sets;
    const std::string line = dump.out.substr(at, dump.out.find('\n', at) - at);
    EXPECT_NE(line.find("stack(main)"), std::string::npos) << line;
    EXPECT_NE(line.find("in set(sum)"), std::string::npos) << line;
  }
  EXPECT_EQ(sets, 2u) << dump.out;
}

TEST_F(Exploration, ReplayCanBeDebugged) {
  if (shell("command -v gdb").exit_code != 0) GTEST_SKIP() << "gdb is not installed";
  write("commands", "backtrace\nquit\n");
  const ToolResult replay =
      shell(std::string("timeout 60 heddle replay --gdb ") + kSchedule + " < commands 2>&1");
  EXPECT_NE(replay.out.find("deposit_twice"), std::string::npos) << replay.out;
}

TEST_F(Exploration, ProgramThatDoesNotComeToItIsNotAReplay) {
  std::string schedule = read(kSchedule);
  const size_t at = schedule.find("exploration 2");
  write(kSchedule, schedule.replace(at, 13, "exploration 7"));
  const ToolResult replay = shell(std::string("heddle replay ") + kSchedule + " 2>&1");
  EXPECT_NE(replay.exit_code, 1) << replay.out;
  EXPECT_NE(replay.out.find("ended before its exploration 7"), std::string::npos) << replay.out;
}

class FailsBefore : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    write("fails.cpp", kFailsBefore);
    const ToolResult built = shell("heddle c++ -std=c++17 -O1 -g -I" HEDDLE_INCLUDE " fails.cpp -o fails");
    ASSERT_EQ(built.exit_code, 0) << built.err;
    const ToolResult explored = shell("LD_LIBRARY_PATH=" HEDDLE_RUNTIME " ./fails");
    ASSERT_EQ(explored.exit_code, 0) << explored.err;
  }
};

TEST_F(FailsBefore, TheWantedExplorationIsReplayed) {
  std::string trace;
  for (int i = 0; i < 3; ++i) {
    const ToolResult replay = shell(std::string("heddle replay --record t.trace ") + kOrderSchedule);
    ASSERT_EQ(replay.exit_code, 1) << replay.err;
    EXPECT_NE(replay.err.find("reproduced: assertion"), std::string::npos) << replay.err;
    // Told of where the exploration was asked for, not of the framework's last operation.
    const std::string stack = replay.err.substr(0, replay.err.find("shared data"));
    EXPECT_NE(stack.find("main  fails.cpp:"), std::string::npos) << replay.err;
    EXPECT_EQ(stack.find("unlock"), std::string::npos) << replay.err;
    EXPECT_EQ(stack.find("ask_framework"), std::string::npos) << replay.err;
    if (i == 0) trace = read("t.trace");
    EXPECT_EQ(read("t.trace"), trace);
  }
}

TEST_F(FailsBefore, AnEarlyEndIsToldHoweverItComes) {
  for (const char* how : {"ENDS_EARLY", "DIES_EARLY", "DEADLOCKS_EARLY"}) {
    const ToolResult replay = shell(std::string(how) + "=1 heddle replay " + kOrderSchedule + " 2>&1");
    EXPECT_NE(replay.exit_code, 1) << replay.out;
    EXPECT_NE(replay.out.find("ended before its exploration 7"), std::string::npos) << replay.out;
  }
}

TEST_F(FailsBefore, AVerdictAfterTheBodyStopsInTheDebugger) {
  if (shell("command -v gdb").exit_code != 0) GTEST_SKIP() << "gdb is not installed";
  write("commands", "backtrace\nquit\n");
  const ToolResult replay =
      shell(std::string("timeout 60 heddle replay --gdb ") + kOrderSchedule + " < commands 2>&1");
  EXPECT_NE(replay.out.find("the test framework counts it as failed"), std::string::npos) << replay.out;
  EXPECT_NE(replay.out.find("main (", replay.out.find("heddle_stop_here")), std::string::npos) << replay.out;
  EXPECT_EQ(replay.out.find("__assert_fail"), std::string::npos) << replay.out;
  EXPECT_EQ(replay.out.find("exited with code"), std::string::npos) << replay.out;
}

}  // namespace
}  // namespace heddle
