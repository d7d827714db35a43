// heddle::explore() inside GoogleTest, under heddle's runtime.
#include <gtest/gtest.h>
#include <heddle/heddle.h>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

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

void write_without_order() {
  auto last = std::make_unique<int>(0);
  std::thread first([&] { *last = 1; });
  std::thread second([&] { *last = 2; });
  first.join();
  second.join();
}

TEST(Explore, FindsADataRaceThatDoesNoHarmIfAskedAndReplaysIt) {
  Options options = quiet();
  options.executions = 100;
  EXPECT_TRUE(explore(write_without_order, options).ok());

  options.detect_races = true;
  const Result result = explore(write_without_order, options);
  EXPECT_EQ(result.kind, "race");
  EXPECT_EQ(result.failures, 1u);

  const Result again = replay(result.schedule, write_without_order, quiet());
  EXPECT_EQ(again.kind, "race");
  EXPECT_FALSE(again.diverged);
  EXPECT_EQ(replay(result.schedule, write_without_order, quiet()).trace_hash, again.trace_hash);
}

TEST(Explore, DetectsNoRaceInOrderedCode) {
  Options options = quiet();
  options.executions = 500;
  options.detect_races = true;
  const Result result = explore(
      [] {
        std::mutex mutex;
        auto count = std::make_unique<int>(0);
        std::atomic<bool> is_done = false;
        int unguarded = 0;
        std::thread first([&] {
          unguarded = 7;
          std::lock_guard<std::mutex> lock(mutex);
          ++*count;
          is_done = true;
        });
        std::thread second([&] {
          std::lock_guard<std::mutex> lock(mutex);
          ++*count;
          if (is_done) unguarded = 8;
        });
        first.join();
        second.join();
      },
      options);
  EXPECT_TRUE(result.ok()) << result;
  EXPECT_EQ(result.executions, 500u);
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

TEST(Explore, ThreadsBeginWithFreshThreadLocalsOfALibraryThatTheBodyLoads) {
  Options options = quiet();
  options.executions = 50;
  const Result result = explore(
      [] {
        void* library = dlopen("./libvisits.so", RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) heddle_fail(dlerror());
        auto* visit = reinterpret_cast<int (*)()>(dlsym(library, "visit"));
        std::thread thread([&] {
          if (visit() != 1001) heddle_fail("not fresh");
        });
        thread.join();
      },
      options);
  EXPECT_TRUE(result.ok()) << result.message;
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

TEST(Explore, ADetachedThreadHasTimeToSleepAndSpin) {
  for (const char* policy : {"random", "pct:3", "round-robin", "nonpreemptive"}) {
    Options options = quiet();
    options.policy = policy;
    options.executions = 50;
    std::atomic<int> ended{0};
    int calls = 0;
    const Result result = explore(
        [&] {
          auto done = std::make_shared<std::atomic<bool>>(false);
          std::thread([&, done] {
            std::this_thread::sleep_for(std::chrono::seconds(1000));
            *done = true;
            ended++;
          }).detach();
          std::thread([&, done] {
            while (!*done) std::this_thread::yield();
            ended++;
          }).detach();
          std::thread([&] {
            std::mutex mutex;
            std::condition_variable changed;
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait_for(lock, std::chrono::seconds(500));
            ended++;
          }).detach();
          calls++;
        },
        options);
    EXPECT_TRUE(result.ok()) << policy << ": " << result.message;
    EXPECT_EQ(ended, 3 * calls) << policy;
  }
}

TEST(Explore, ADetachedThreadThatNeverEndsIsFound) {
  Options options = quiet();
  options.max_steps = 5000;
  const Result result = explore(
      [] {
        auto never = std::make_shared<std::atomic<bool>>(false);
        std::thread([never] {
          while (!*never) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }).detach();
      },
      options);
  EXPECT_EQ(result.kind, "livelock") << result.message;
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

// A verdict that comes back to what it was: each execution has its own.
TEST(Explore, TheFrameworksVerdictIsThatOfAnAbandonedExecution) {
  for (const bool assumes : {false, true}) {
    bool failed = false;
    bool failed_before = false;
    uint64_t changes = 0;
    const auto body = [&] {
      failed_before = failed;
      failed = false;
      std::atomic<int> order{0};
      std::mutex mutex;
      std::thread first([&] {
        if (++order != 2) return;
        failed = true;
        changes += !failed_before;
        if (assumes) heddle_assume(false);
        mutex.lock();
        mutex.lock();
      });
      std::thread second([&] { ++order; });
      first.join();
      second.join();
    };
    Options options = quiet();
    options.failed = [&] { return failed; };
    options.executions = 1000;
    options.keep_going = true;
    const Result result = explore(body, options);
    EXPECT_GT(changes, 0u);
    EXPECT_EQ(result.executions + result.blocked, 1000u);
    EXPECT_EQ(result.kind, assumes ? "assertion" : "deadlock") << result.message;
    if (assumes) {
      EXPECT_EQ(result.failures, changes);
    }
    failed = false;
    const Result again = replay(result.schedule, body, options);
    EXPECT_EQ(again.kind, result.kind);
    EXPECT_EQ(choices_of(again.schedule), choices_of(result.schedule));
  }
}

// As GoogleTest's: once the test has failed, it stays so.
TEST(Explore, AStickyVerdictCountsOnceAndForItsExecution) {
  bool failed = false;
  Options options = quiet();
  options.failed = [&] { return failed; };
  options.keep_going = true;
  options.executions = 200;
  std::vector<bool> has_failed;
  const Result result = explore(
      [&] {
        const bool fails = has_failed.size() == 5;
        if (fails) failed = true;
        has_failed.push_back(fails);
        heddle_assume(!fails);
      },
      options);
  EXPECT_EQ(result.failures, 1u);
  EXPECT_EQ(result.failed_seed, 5u);  // after the first one, which is not counted
  EXPECT_EQ(result.blocked, 0u);
}

TEST(Explore, AFrameworkThatCannotBeAskedIsNotAFailure) {
  std::mutex of_framework;
  Options options = quiet();
  options.failed = [&] { return std::lock_guard<std::mutex>(of_framework), false; };
  options.executions = 1;
  const Result result = explore(
      [&] {
        of_framework.lock();
        heddle_assume(false);
      },
      options);
  EXPECT_EQ(result.failures, 1u);  // of the second execution, which finds it locked
  EXPECT_EQ(result.kind, "deadlock") << result.message;
}

TEST(Explore, UncaughtExceptionsAreThoseOfTheExecution) {
  Options options = quiet();
  options.executions = 3;
  struct Assumes {
    ~Assumes() { heddle_assume(false); }
  };
  const Result result = explore(
      [] {
        if (std::uncaught_exceptions() != 0) heddle_fail("an exception is on its way already");
        Assumes assumes;
        throw std::runtime_error("on its way");
      },
      options);
  EXPECT_EQ(result.blocked, 3u) << result;
  EXPECT_EQ(std::uncaught_exceptions(), 0);
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
  Options inner;
  inner.failed = [&] { return calls == 7; };
  int inner_failures = 0;
  const Result result = explore(
      [&] {
        const Result called = explore([&] { calls++; }, inner);
        EXPECT_FALSE(called.controlled);
        inner_failures += !called.ok();
        std::ostringstream text;
        text << called;
        EXPECT_NE(text.str().find(called.ok() ? "inside of another exploration" : "failed"),
                  std::string::npos)
            << text.str();
      },
      options);
  EXPECT_TRUE(result.ok());
  EXPECT_EQ(calls, 11);  // and the first one, which counts only if it fails
  EXPECT_EQ(inner_failures, 1);
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

TEST(Explore, AScheduleFileThatCannotBeWrittenIsNotNamed) {
  Options options;
  options.folder = "/nonexistent";
  const Result result = explore(lose_update, options);
  EXPECT_EQ(result.schedule_file, "");
  EXPECT_NE(result.message.find("cannot be written to /nonexistent/heddle-explore-exception.schedule"),
            std::string::npos)
      << result.message;
}

// Any name, which a schedule has before the mark of a first execution.
TEST(Explore, TheNameDoesNotMatterToAReplay) {
  for (const char* name : {"first", "the first", "\"first", "a\\ first", "second"}) {
    Options options = quiet();
    options.name = name;
    int calls = 0;
    const auto body = [&] {
      calls++;
      lose_update();
    };
    const Result found = explore(body, options);
    ASSERT_FALSE(found.ok());
    const int first_calls = calls = 0;
    EXPECT_EQ(replay(found.schedule, body, options).kind, "exception") << name;
    EXPECT_EQ(calls, first_calls + 2) << name;  // one to warm up
  }
}

void start_nest(int depth) {
  if (depth == 0) throw std::runtime_error("deep enough");
  std::thread(start_nest, depth - 1).join();
}

TEST(Explore, DeepNestsOfThreadsAreReplayed) {
  expect_found_and_replayed([] { start_nest(40); }, "exception");
}

TEST(Explore, ASchedulesInjectionsAreKept) {
  const auto body = [] {
    std::mutex mutex;
    std::condition_variable changed;
    std::thread waiter([&] {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock);
      heddle_fail("woken by nobody");
    });
    for (int i = 0; i < 3; ++i) heddle_yield();
    changed.notify_one();
    waiter.join();
  };
  const std::string schedule =
      "heddle-schedule 1\nexploration 1 test first\npoints 0\nchoices 5\n"
      "  main 1\n  main/1 3\n  spurious main/1\nend\n";
  const Result result = replay(schedule, body, quiet());
  EXPECT_EQ(result.kind, "assertion") << result.message;
  EXPECT_FALSE(result.diverged);
  EXPECT_NE(result.schedule.find("\n  spurious main/1\n"), std::string::npos) << result.schedule;
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
  std::ostringstream text;
  text << result;
  EXPECT_EQ(text.str(), "not explored: the program does not run under heddle, the body was called once");
  EXPECT_THROW(explore([] { throw std::runtime_error("native"); }), std::runtime_error);
}

// Its output is looked at as well, see CMakeLists.txt.
HEDDLE_TEST(WithoutHeddle, IsToldByTheMacro) {}

TEST(Explore, OneExecutionIsOne) {
  Options options = quiet();
  options.policy = "nonpreemptive";
  std::ostringstream text;
  text << explore([] {}, options);
  EXPECT_EQ(text.str(), "no failure in 1 execution");
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
