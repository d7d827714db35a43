// heddle::explore(): a function under many schedules, in one process. Include <heddle/heddle.h>.
#ifndef HEDDLE_EXPLORE_H
#define HEDDLE_EXPLORE_H

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>

namespace heddle {

struct Options {
  std::string name = "explore";         // of the test, in messages and file names
  std::string policy = "random";        // nonpreemptive, round-robin, random, pct:D or pos
  std::uint64_t seed = 1;               // execution i has seed + i
  std::uint64_t executions = 10000;     // at most so many …
  std::chrono::milliseconds budget{0};  // … and none begins after this time; 0: no limit
  std::uint64_t max_steps = 100000;     // more scheduling steps than this are a livelock
  bool keep_going = false;              // do not stop at the first failure
  bool detect_races = false;            // data races are failures, too
  std::string folder = ".";             // where schedule files go; empty: nowhere
  std::function<bool()> failed;  // after each execution: whether the test framework counts it as failed
};

struct Result {
  bool controlled = false;       // false: not under heddle; the body was called once, natively
  std::uint64_t executions = 0;  // completed, with a verdict
  std::uint64_t blocked = 0;     // ended by an assumption that did not hold
  std::uint64_t failures = 0;
  std::uint64_t points = 0;       // locations whose accesses are scheduling points, as learned so far
  std::uint64_t failed_seed = 0;  // of the first failure, as all below
  bool diverged = false;          // a given schedule could not be followed to its end
  std::uint64_t trace_hash = 0;   // of a replay: of all that happened
  std::string kind;               // assertion, exception, deadlock, lost-wakeup, livelock, …
  std::string message;
  std::string schedule;       // for heddle::replay()
  std::string schedule_file;  // for `heddle replay`

  bool ok() const { return failures == 0 && !diverged; }
};

inline std::ostream& operator<<(std::ostream& out, const Result& result) {
  if (!result.ok() || !result.controlled) return out << result.message;
  return out << "no failure in " << result.executions
             << (result.executions == 1 ? " execution" : " executions");
}

namespace detail {

struct Call {
  const std::function<void()>& body;
  const std::function<bool()>& failed;
};

// Exceptions that leave the body are failures; natively they go on to whoever called explore().
inline void call_body(void* argument) {
  auto* call = static_cast<Call*>(argument);
  if (heddle_rt_note_failure == nullptr) {
    call->body();
    return;
  }
  try {
    call->body();
  } catch (const std::exception& thrown) {
    heddle_rt_note_failure("exception", thrown.what());
  } catch (...) {
    heddle_rt_note_failure("exception", "an exception of another type than std::exception leaves the body");
  }
}

inline int call_failed(void* argument) {
  return static_cast<Call*>(argument)->failed() ? 1 : 0;
}

inline std::string text(const char* text) {
  return text != nullptr ? text : "";
}

// A test that passes without having been explored shall not go unnoticed.
inline void tell_if_uncontrolled(const Result& result) {
  static bool is_told = false;
  if (result.controlled || is_told) return;
  is_told = true;
  std::fprintf(stderr, "heddle: %s\n", result.message.c_str());
}

inline Result run(const std::function<void()>& body, const Options& options, const char* schedule) {
  Call call{body, options.failed};
  heddle_options request{};
  request.name = options.name.c_str();
  request.policy = options.policy.c_str();
  request.seed = options.seed;
  request.executions = options.executions;
  request.milliseconds = static_cast<std::uint64_t>(options.budget.count());
  request.max_steps = options.max_steps;
  request.keep_going = options.keep_going ? 1 : 0;
  request.detect_races = options.detect_races ? 1 : 0;
  request.folder = options.folder.c_str();
  request.schedule = schedule;
  request.failed = options.failed ? call_failed : nullptr;
  heddle_result outcome{};
  heddle_explore(call_body, &call, &request, &outcome);
  return {outcome.controlled != 0, outcome.executions,     outcome.blocked,
          outcome.failures,        outcome.points,         outcome.failed_seed,
          outcome.diverged != 0,   outcome.trace_hash,     text(outcome.kind),
          text(outcome.message),   text(outcome.schedule), text(outcome.schedule_file)};
}

}  // namespace detail

// Executes body() under many schedules. It starts and joins its threads itself, and begins with the same
// state each time: what it shares between its threads is best local to it.
inline Result explore(const std::function<void()>& body, const Options& options = {}) {
  return detail::run(body, options, nullptr);
}

// Executes body() once, under the schedule of an earlier failure (its text, or the content of its file).
inline Result replay(const std::string& schedule, const std::function<void()>& body,
                     const Options& options = {}) {
  return detail::run(body, options, schedule.c_str());
}

}  // namespace heddle

// HEDDLE_TEST(Suite, Name) { body }: a GoogleTest case whose body is explored. Failed expectations in it end
// the exploration. Include <gtest/gtest.h> before <heddle/heddle.h>. HEDDLE_TEST_WITH takes heddle::Options
// as well.
#ifdef GTEST_TEST
#define HEDDLE_TEST_WITH(test_suite, test_name, ...)                                           \
  struct test_suite##_##test_name##_Explored {                                                 \
    static void body();                                                                        \
  };                                                                                           \
  TEST(test_suite, test_name) {                                                                \
    ::heddle::Options heddle_options_of_test = __VA_ARGS__;                                    \
    heddle_options_of_test.name = #test_suite "." #test_name;                                  \
    heddle_options_of_test.failed = [] { return ::testing::Test::HasFailure(); };              \
    const ::heddle::Result heddle_result_of_test =                                             \
        ::heddle::explore(&test_suite##_##test_name##_Explored::body, heddle_options_of_test); \
    ::heddle::detail::tell_if_uncontrolled(heddle_result_of_test);                             \
    EXPECT_TRUE(heddle_result_of_test.ok()) << heddle_result_of_test;                          \
  }                                                                                            \
  void test_suite##_##test_name##_Explored::body()
#define HEDDLE_TEST(test_suite, test_name) HEDDLE_TEST_WITH(test_suite, test_name, ::heddle::Options{})
#endif

#endif  // HEDDLE_EXPLORE_H
