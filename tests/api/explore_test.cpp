// heddle::explore() inside GoogleTest, under heddle's runtime.
#include <gtest/gtest.h>
#include <heddle/heddle.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

using heddle::explore;
using heddle::Options;
using heddle::replay;
using heddle::Result;

Options quiet() {
  Options options;
  options.folder = "";
  return options;
}

std::string choices_of(const std::string& schedule) {
  return schedule.substr(schedule.find("\nchoices "));
}

void lose_update() {
  int counter = 0;
  auto increment = [&] { counter++; };
  std::thread first(increment), second(increment);
  first.join();
  second.join();
  if (counter != 2) throw std::runtime_error("lost update");
}

void lock_crosswise() {
  std::mutex a, b;
  std::thread first([&] {
    std::lock_guard<std::mutex> one(a);
    std::lock_guard<std::mutex> two(b);
  });
  std::thread second([&] {
    std::lock_guard<std::mutex> one(b);
    std::lock_guard<std::mutex> two(a);
  });
  first.join();
  second.join();
}

void add_under_lock() {
  std::mutex mutex;
  int total = 0;
  auto add = [&] {
    for (int i = 0; i < 3; ++i) {
      std::lock_guard<std::mutex> lock(mutex);
      total++;
    }
  };
  std::thread first(add), second(add);
  first.join();
  second.join();
  if (total != 6) heddle_fail("wrong total");
}

void expect_found_and_replayed(const std::function<void()>& body, const std::string& kind) {
  const Result found = explore(body, quiet());
  ASSERT_TRUE(found.controlled);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.kind, kind) << found.message;
  for (int i = 0; i < 20; ++i) {
    const Result again = replay(found.schedule, body, quiet());
    ASSERT_EQ(again.kind, kind) << again.message;
    ASSERT_FALSE(again.diverged);
    ASSERT_EQ(choices_of(again.schedule), choices_of(found.schedule));
  }
}

TEST(Explore, FindsALostUpdateAndReplaysIt) {
  expect_found_and_replayed(lose_update, "exception");
}

TEST(Explore, FindsADeadlockAndReplaysIt) {
  expect_found_and_replayed(lock_crosswise, "deadlock");
}

TEST(Explore, FindsALostWakeUpAndReplaysIt) {
  expect_found_and_replayed(
      [] {
        std::mutex mutex;
        std::condition_variable ready;
        std::thread waiter([&] {
          std::unique_lock<std::mutex> lock(mutex);
          ready.wait(lock);
        });
        std::thread notifier([&] { ready.notify_one(); });
        waiter.join();
        notifier.join();
      },
      "lost-wakeup");
}

TEST(Explore, FindsAFailedAssertionOfAThreadAndReplaysIt) {
  expect_found_and_replayed(
      [] {
        auto value = std::make_unique<int>(0);
        std::thread writer([&] { *value = 1; });
        std::thread reader([&] { assert(*value == 0); });
        writer.join();
        reader.join();
      },
      "assertion");
}

TEST(Explore, FindsAnUncaughtExceptionOfAThreadAndReplaysIt) {
  expect_found_and_replayed(
      [] {
        std::atomic<int> turn{0};
        std::thread first([&] { turn = 1; });
        std::thread second([&] {
          if (turn == 1) throw std::runtime_error("too late");
        });
        first.join();
        second.join();
      },
      "exception");
}

TEST(Explore, TakesAnEndlessLoopForALivelock) {
  Options options = quiet();
  options.max_steps = 2000;
  const Result result = explore(
      [] {
        std::atomic<bool> go{false};
        std::thread waiter([&] {
          while (!go) std::this_thread::yield();
        });
        waiter.join();
      },
      options);
  EXPECT_EQ(result.kind, "livelock") << result.message;
}

TEST(Explore, FindsNothingInCorrectCodeUnderAnyPolicy) {
  for (const char* policy : {"random", "pct:3", "round-robin", "nonpreemptive"}) {
    Options options = quiet();
    options.policy = policy;
    options.executions = 1000;
    const Result result = explore(add_under_lock, options);
    EXPECT_TRUE(result.ok()) << policy << ": " << result.message;
    EXPECT_GE(result.executions, 1u);
  }
}

TEST(Explore, OneSeedMeansTheSameEveryTime) {
  Options options = quiet();
  options.keep_going = true;
  options.executions = 500;
  const Result first = explore(lock_crosswise, options);
  EXPECT_GT(first.failures, 0u);
  EXPECT_EQ(first.executions, 500u);
  explore(lose_update, options);  // something else in between
  const Result second = explore(lock_crosswise, options);
  EXPECT_EQ(first.failures, second.failures);
  EXPECT_EQ(choices_of(first.schedule), choices_of(second.schedule));
}

TEST(Explore, SharedMemoryThatOutlivesTheBodyIsLearned) {
  const auto shared = std::make_unique<int>(0);
  const Result result = explore(
      [&] {
        *shared = 0;
        auto increment = [&] { *shared += 1; };
        std::thread first(increment), second(increment);
        first.join();
        second.join();
        if (*shared != 2) heddle_fail("lost update");
      },
      quiet());
  EXPECT_EQ(result.kind, "assertion");
}

thread_local int visits = 10;

TEST(Explore, ThreadsBeginWithFreshThreadLocals) {
  Options options = quiet();
  options.executions = 50;
  const Result result = explore(
      [] {
        std::thread thread([] {
          if (++visits != 11) heddle_fail("not fresh");
        });
        thread.join();
      },
      options);
  EXPECT_TRUE(result.ok()) << result.message;
  EXPECT_EQ(visits, 10);
}

TEST(Explore, ThreadsBeginWithoutSpecificData) {
  pthread_key_t key;
  ASSERT_EQ(pthread_key_create(&key, nullptr), 0);
  Options options = quiet();
  options.executions = 50;
  const Result result = explore(
      [&] {
        std::thread thread([&] {
          if (pthread_getspecific(key) != nullptr) heddle_fail("not fresh");
          pthread_setspecific(key, &key);
        });
        thread.join();
      },
      options);
  EXPECT_TRUE(result.ok()) << result.message;
  pthread_key_delete(key);
}

TEST(Explore, AThreadThatIsNotJoinedIsMisuse) {
  const Result result = explore(
      [] {
        pthread_t thread;
        pthread_create(&thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
      },
      quiet());
  EXPECT_EQ(result.kind, "misuse");
  EXPECT_NE(result.message.find("main/1"), std::string::npos) << result.message;
}

TEST(Explore, ADetachedThreadMayEndAfterTheBody) {
  const Result result = explore(
      [] {
        auto done = std::make_shared<std::atomic<bool>>(false);
        std::thread([done] { *done = true; }).detach();
        while (!*done) std::this_thread::yield();
      },
      quiet());
  EXPECT_TRUE(result.ok()) << result.message;
}

TEST(Explore, ADetachedThreadThatWaitsForEverIsMisuse) {
  const Result result = explore(
      [] {
        auto mutex = std::make_shared<std::mutex>();
        mutex->lock();
        std::thread([mutex] { mutex->lock(); }).detach();
      },
      quiet());
  EXPECT_EQ(result.kind, "misuse");
  EXPECT_NE(result.message.find("main/1 is still running"), std::string::npos) << result.message;
}

TEST(Explore, EndingTheProcessOrItsThreadIsMisuse) {
  for (void (*body)() : {+[] { std::exit(0); }, +[] { _exit(1); }, +[] { pthread_exit(nullptr); },
                         +[] { std::thread([] { std::quick_exit(0); }).join(); }}) {
    const Result result = explore(body, quiet());
    EXPECT_EQ(result.kind, "misuse") << result.message;
    EXPECT_NE(result.message.find("heddle::explore()"), std::string::npos) << result.message;
  }
}

TEST(Explore, AChildProcessEndsOnItsOwn) {
  Options options = quiet();
  options.executions = 20;
  const Result result = explore(
      [] {
        const pid_t child = fork();
        if (child == 0) _exit(7);
        int status = 0;
        if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 7) heddle_fail("not its exit code");
      },
      options);
  EXPECT_TRUE(result.ok()) << result.message;
}

TEST(Explore, AssumptionsThatFailAreCountedApart) {
  Options options = quiet();
  options.executions = 2000;
  const Result result = explore(
      [] {
        std::atomic<int> order{0};
        int first_saw = 0;
        std::thread first([&] { first_saw = ++order; });
        std::thread second([&] {
          const bool came_first = ++order == 1;
          heddle_assume(!came_first);  // with the first thread perhaps not even begun
        });
        first.join();
        second.join();
        if (first_saw != 1) heddle_fail("the assumption is not kept");
      },
      options);
  EXPECT_TRUE(result.ok()) << result.message;
  EXPECT_GT(result.blocked, 0u);
  EXPECT_EQ(result.blocked + result.executions, 2000u);
}

TEST(Explore, TheFrameworksVerdictCounts) {
  bool failed = false;
  Options options = quiet();
  options.failed = [&] { return failed; };
  const Result result = explore(
      [&] {
        try {
          lose_update();
        } catch (const std::runtime_error&) {
          failed = true;
        }
      },
      options);
  EXPECT_EQ(result.kind, "assertion");
  EXPECT_TRUE(failed);
}

TEST(Explore, TheBudgetEndsIt) {
  Options options = quiet();
  options.executions = UINT64_MAX;
  options.budget = std::chrono::milliseconds(20);
  const Result result = explore(add_under_lock, options);
  EXPECT_TRUE(result.ok());
  EXPECT_GE(result.executions, 1u);
}

TEST(Explore, ExplorationsInsideOneAreMereCalls) {
  Options options = quiet();
  options.executions = 10;
  int calls = 0;
  const Result result = explore([&] { EXPECT_FALSE(explore([&] { calls++; }).controlled); }, options);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(calls, 11);  // and the first one, which counts only if it fails
}

TEST(Explore, TheScheduleFileHoldsTheSchedule) {
  Options options;
  options.name = "a lost/update";
  options.folder = ".";
  const Result result = explore(lose_update, options);
  EXPECT_EQ(result.schedule_file, "./heddle-a-lost-update-exception.schedule");
  std::ifstream file(result.schedule_file);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), result.schedule);
}

TEST(Explore, AScheduleOfAnotherTestDoesNotPassForAReplay) {
  const Result found = explore(lock_crosswise, quiet());
  const Result other = replay(found.schedule, [] {}, quiet());
  EXPECT_TRUE(other.diverged);
  EXPECT_FALSE(other.ok());
  const Result nonsense = replay("no schedule", [] {}, quiet());
  EXPECT_FALSE(nonsense.ok());
  EXPECT_NE(nonsense.message.find("heddle-schedule"), std::string::npos);
}

TEST(Explore, AnUnknownPolicyIsRefused) {
  Options options = quiet();
  options.policy = "chaos";
  const Result result = explore([] { FAIL() << "executed"; }, options);
  EXPECT_FALSE(result.ok());
  EXPECT_NE(result.message.find("there is no policy chaos"), std::string::npos) << result.message;
}

TEST(Explore, TheProgramGoesOnAsBefore) {
  int counter = 0;
  std::mutex mutex;
  explore(lose_update, quiet());
  std::thread thread([&] {
    std::lock_guard<std::mutex> lock(mutex);
    counter++;
  });
  thread.join();
  EXPECT_EQ(counter, 1);
}

HEDDLE_TEST(Macro, ExploresItsBody) {
  std::atomic<int> sum{0};
  std::thread first([&] { sum += 1; });
  std::thread second([&] { sum += 2; });
  first.join();
  second.join();
  EXPECT_EQ(sum, 3);
}

HEDDLE_TEST_WITH(Macro, TakesOptions, [] {
  heddle::Options options;
  options.policy = "pct:2";
  options.executions = 100;
  return options;
}()) {
  add_under_lock();
}

// Runs only when heddle's runtime is not there: see CMakeLists.txt.
TEST(WithoutHeddle, TheBodyRunsOnceNatively) {
  if (heddle_rt_explore != nullptr) GTEST_SKIP() << "this process runs under heddle";
  int calls = 0;
  const Result result = explore([&] {
    calls++;
    heddle_yield();
    heddle_assume(false);
    heddle_atomic_set("calls", &calls, sizeof calls);
  });
  EXPECT_FALSE(result.controlled);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(explore([] { throw std::runtime_error("native"); }), std::runtime_error);
}

TEST(ExploreDeathTest, ACrashLeavesItsSchedule) {
  if (heddle_rt_explore == nullptr) GTEST_SKIP() << "this process does not run under heddle";
  Options options;
  options.name = "crash";
  EXPECT_DEATH(explore([] { *static_cast<volatile int*>(nullptr) = 1; }, options),
               "crash: crash in main.*heddle-crash-crash.schedule");
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
