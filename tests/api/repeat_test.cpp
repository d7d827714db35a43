// Executions that follow one another in one process show nothing of each other: neither in what they do, nor
// in what they record, nor in memory.
#include <gtest/gtest.h>
#include <heddle/heddle.h>

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using heddle::explore;
using heddle::Options;
using heddle::replay;
using heddle::Result;

struct Body {
  const char* name;
  void (*run)();
};
std::ostream& operator<<(std::ostream& out, const Body& body) {
  return out << body.name;
}

void require(bool condition, const char* what) {
  if (!condition) heddle_fail(what);
}

void hand_over() {
  std::mutex mutex;
  std::condition_variable changed;
  std::queue<int> queue;
  int sum = 0;
  std::thread consumer([&] {
    for (int i = 0; i < 3; ++i) {
      std::unique_lock<std::mutex> lock(mutex);
      changed.wait(lock, [&] { return !queue.empty(); });
      sum += queue.front();
      queue.pop();
    }
  });
  std::thread producer([&] {
    for (int i = 1; i <= 3; ++i) {
      std::lock_guard<std::mutex> lock(mutex);
      queue.push(i);
      changed.notify_one();
    }
  });
  producer.join();
  consumer.join();
  require(sum == 6, "wrong sum");
}

struct Counted {
  static std::atomic<int> alive;
  std::string text = "long enough not to fit into the string itself";
  Counted() { alive++; }
  ~Counted() { alive--; }
};
std::atomic<int> Counted::alive{0};
thread_local Counted per_thread;
thread_local int visits = 7;

void use_thread_locals() {
  const int before = Counted::alive;
  auto visit = [] { require(per_thread.text.size() > 20 && ++visits == 8, "not fresh"); };
  std::thread first(visit), second(visit);
  first.join();
  second.join();
  require(Counted::alive == before, "a thread-local object outlives its thread");
}

char* shared_text;

void replace_global_memory() {
  shared_text = static_cast<char*>(std::malloc(32));
  std::strcpy(shared_text, "begin");
  std::mutex mutex;
  auto replace = [&](const char* text) {
    std::lock_guard<std::mutex> lock(mutex);
    std::free(shared_text);
    shared_text = static_cast<char*>(std::malloc(64));
    std::strcpy(shared_text, text);
  };
  std::thread first(replace, "first"), second(replace, "second");
  first.join();
  second.join();
  require(std::strcmp(shared_text, "begin") != 0, "not replaced");
  std::free(shared_text);
}

void run_asynchronously() {
  std::promise<int> promise;
  auto doubled = std::async(std::launch::async, [&] { return 2 * promise.get_future().get(); });
  auto other = std::async(std::launch::async, [] { return 1; });
  promise.set_value(20 + other.get());
  require(doubled.get() == 42, "wrong result");
}

void wait_with_time_limit() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  const auto begin = std::chrono::steady_clock::now();
  std::thread waiter([&] {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait_for(lock, std::chrono::milliseconds(5), [&] { return ready; });
  });
  std::thread notifier([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::lock_guard<std::mutex> lock(mutex);
    ready = true;
    changed.notify_all();
  });
  waiter.join();
  notifier.join();
  require(std::chrono::steady_clock::now() - begin < std::chrono::seconds(1), "time goes on");
}

void pass_through_pipe() {
  int ends[2];
  require(pipe(ends) == 0, "no pipe");
  char received = 0;
  std::thread reader([&] { require(read(ends[0], &received, 1) == 1, "nothing read"); });
  std::thread writer([&] { require(write(ends[1], "x", 1) == 1, "nothing written"); });
  reader.join();
  writer.join();
  close(ends[0]);
  close(ends[1]);
  require(received == 'x', "something else read");
}

void name_threads() {
  char own[16];
  pthread_getname_np(pthread_self(), own, sizeof own);
  require(std::strcmp(own, "body") != 0, "the main thread has a name already");
  pthread_setname_np(pthread_self(), "body");
  std::thread thread([] {
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    require(std::strcmp(name, "worker") != 0, "it has a name already");
    pthread_setname_np(pthread_self(), "worker");
  });
  thread.join();
}

std::atomic<int> alarms;

// The timer's thread is one of the runtime's own.
void set_alarms() {
  alarms = 0;
  signal(SIGALRM, [](int) { alarms++; });
  itimerval soon{{0, 0}, {0, 1000}};
  itimerval before{};
  setitimer(ITIMER_REAL, &soon, &before);
  require(before.it_value.tv_sec == 0 && before.it_value.tv_usec == 0, "an alarm is set already");
  std::thread waiter([] {
    while (alarms == 0) std::this_thread::yield();
  });
  waiter.join();
  alarm(100);  // never comes
  signal(SIGALRM, SIG_DFL);
}

// Leaves everything behind that an execution can leave behind although it ends well.
void leave_things_behind() {
  sigset_t mask, before, pending;
  sigemptyset(&mask);
  sigaddset(&mask, SIGUSR1);
  sigaddset(&mask, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &mask, &before);
  require(sigismember(&before, SIGUSR1) == 0, "the signal is blocked already");
  sigpending(&pending);
  require(sigismember(&pending, SIGUSR1) == 0 && sigismember(&pending, SIGUSR2) == 0, "signals are pending");
  std::thread thread([] {
    require(ftrylockfile(stderr) == 0, "the stream is held");
    funlockfile(stderr);
  });
  thread.join();
  pthread_kill(pthread_self(), SIGUSR1);
  kill(getpid(), SIGUSR2);
  flockfile(stderr);
  errno = 0;
}

void meet_at_semaphore() {
  sem_t ready;
  sem_init(&ready, 0, 0);
  int value = 0;
  std::thread poster([&] {
    value = 1;
    sem_post(&ready);
  });
  sem_wait(&ready);
  require(value == 1, "too early");
  poster.join();
  sem_destroy(&ready);
}

void spin_on_flag() {
  std::atomic<int> turn{0};
  std::thread first([&] {
    while (turn != 1) heddle_yield();
    turn = 2;
  });
  std::thread second([&] {
    turn = 1;
    while (turn != 2) std::this_thread::yield();
  });
  first.join();
  second.join();
}

void cancel_thread() {
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void*) -> void* {
        for (;;) pause();
      },
      nullptr);
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  require(result == PTHREAD_CANCELED, "not cancelled");
}

extern "C" void* __tsan_get_current_fiber();
extern "C" void* __tsan_create_fiber(unsigned flags);
extern "C" void __tsan_destroy_fiber(void* fiber);
extern "C" void __tsan_switch_to_fiber(void* fiber, unsigned flags);

__attribute__((noinline)) int descend(int depth) {
  return depth == 0 ? 0 : 1 + descend(depth - 1) * 1;
}

// Coroutines, as far as ThreadSanitizer sees them. One thread ends on another stack than its own.
void switch_fibers() {
  auto run = [](bool comes_back) {
    void* own = __tsan_get_current_fiber();
    void* other = __tsan_create_fiber(0);
    require(descend(20) == 20, "lost count");
    __tsan_switch_to_fiber(other, 0);
    require(descend(30) == 30, "lost count");
    if (!comes_back) return other;
    __tsan_switch_to_fiber(own, 0);
    __tsan_destroy_fiber(other);
    return static_cast<void*>(nullptr);
  };
  void* left = nullptr;
  std::thread first([&] { run(true); }), second([&] { left = run(false); });
  first.join();
  second.join();
  __tsan_destroy_fiber(left);
}

constexpr Body kGoodBodies[] = {
    {"HandOver", hand_over},
    {"ThreadLocals", use_thread_locals},
    {"GlobalMemory", replace_global_memory},
    {"Async", run_asynchronously},
    {"TimeLimit", wait_with_time_limit},
    {"Pipe", pass_through_pipe},
    {"Names", name_threads},
    {"Alarms", set_alarms},
    {"LeftBehind", leave_things_behind},
    {"Semaphore", meet_at_semaphore},
    {"Spin", spin_on_flag},
    {"Cancel", cancel_thread},
    {"Fibers", switch_fibers},
};

int unprotected;

void lose_update() {
  unprotected = 0;
  std::thread first([] { unprotected++; }), second([] { unprotected++; });
  first.join();
  second.join();
  assert(unprotected == 2);
}

void throw_sometimes() {
  std::atomic<int> turn{0};
  std::thread first([&] { turn = 1; });
  std::thread second([&] {
    if (turn == 1) throw std::runtime_error("too late");
  });
  first.join();
  second.join();
}

void lock_crosswise() {
  std::mutex a, b;
  auto lock = [](std::mutex* one, std::mutex* other) {
    Counted* const counted = &per_thread;  // its destructor never runs when the thread is dropped
    std::lock_guard<std::mutex> outer(*one);
    std::lock_guard<std::mutex> inner(*other);
    require(!counted->text.empty(), "no text");
  };
  std::thread first(lock, &a, &b), second(lock, &b, &a);
  first.join();
  second.join();
}

void drop_in_the_middle() {
  int ends[2];
  require(pipe(ends) == 0, "no pipe");
  std::atomic<int> value{0};
  std::thread reader([&] {
    char byte;
    pthread_setname_np(pthread_self(), "reader");
    flockfile(stderr);
    require(read(ends[0], &byte, 1) == 1, "nothing read");
    funlockfile(stderr);
  });
  std::thread writer([&] {
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    require(std::strcmp(name, "reader") != 0, "it has a name already");
    const bool came_first = ++value == 1;
    if (!came_first) {  // nobody closes them later
      close(ends[0]);
      close(ends[1]);
    }
    heddle_assume(came_first);
    require(write(ends[1], "x", 1) == 1, "nothing written");
  });
  value++;
  writer.join();
  reader.join();
  close(ends[0]);
  close(ends[1]);
}

constexpr Body kBadBodies[] = {
    {"Assert", lose_update},
    {"Throw", throw_sometimes},
    {"Deadlock", lock_crosswise},
    {"Assume", drop_in_the_middle},
};

Options quiet() {
  Options options;
  options.folder = "";
  return options;
}

// What one execution of the body records, under a policy alone.
Result record(const Body& body, const char* policy, uint64_t seed) {
  Options options = quiet();
  options.policy = policy;
  options.seed = seed;
  return replay("heddle-schedule 1\npoints 0\nchoices 0\nend\n", body.run, options);
}

std::vector<uint64_t> record_all(const Body& body) {
  std::vector<uint64_t> hashes;
  for (const char* policy : {"random", "pct:3", "round-robin", "nonpreemptive"}) {
    for (uint64_t seed = 1; seed <= 5; ++seed) hashes.push_back(record(body, policy, seed).trace_hash);
  }
  return hashes;
}

void explore_others(const Body& body) {
  Options options = quiet();
  options.executions = 20;
  options.keep_going = true;
  for (const Body& other : kGoodBodies) explore(other.run, options);
  for (const Body& other : kBadBodies) explore(other.run, options);
  explore(body.run, options);
}

class EveryBody : public testing::TestWithParam<Body> {};

TEST_P(EveryBody, RecordsTheSameUnderTheSameSchedule) {
  const Body& body = GetParam();
  const std::vector<uint64_t> before = record_all(body);
  explore_others(body);
  EXPECT_EQ(record_all(body), before);
  EXPECT_NE(before.front(), 0u);
}

class GoodBody : public testing::TestWithParam<Body> {};

TEST_P(GoodBody, HasNoFailureUnderAnyPolicy) {
  for (const char* policy : {"random", "pct:3", "round-robin", "nonpreemptive"}) {
    Options options = quiet();
    options.policy = policy;
    options.executions = 500;
    const Result result = explore(GetParam().run, options);
    EXPECT_TRUE(result.ok()) << policy << ": " << result.message;
    EXPECT_TRUE(result.controlled);
  }
}

size_t resident_pages() {
  std::ifstream file("/proc/self/statm");
  size_t size = 0, resident = 0;
  file >> size >> resident;
  return resident;
}

TEST_P(GoodBody, TakesNoMoreMemoryHoweverOftenItIsExecuted) {
  for (const char* policy : {"random", "pct:3"}) {
    Options options = quiet();
    options.policy = policy;
    options.executions = 1000;
    explore(GetParam().run, options);
    const size_t before = resident_pages();
    options.seed = 1001;
    options.executions = 8000;
    EXPECT_TRUE(explore(GetParam().run, options).ok());
    // Rare interleavings have a few sites and contexts of their own. One page more per 100 executions is a
    // leak.
    EXPECT_LT(resident_pages(), before + 80) << policy;
  }
}

class BadBody : public testing::TestWithParam<Body> {};

TEST_P(BadBody, FailsAsOftenTheSecondTime) {
  Options options = quiet();
  options.keep_going = true;
  options.executions = 300;
  const Result first = explore(GetParam().run, options);
  explore_others(GetParam());
  const Result second = explore(GetParam().run, options);
  EXPECT_GT(first.failures + first.blocked, 0u);
  EXPECT_EQ(first.failures, second.failures);
  EXPECT_EQ(first.blocked, second.blocked);
  EXPECT_EQ(first.failed_seed, second.failed_seed);
  EXPECT_EQ(first.points, second.points);
}

std::string name_of(const testing::TestParamInfo<Body>& info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Good, EveryBody, testing::ValuesIn(kGoodBodies), name_of);
INSTANTIATE_TEST_SUITE_P(Bad, EveryBody, testing::ValuesIn(kBadBodies), name_of);
INSTANTIATE_TEST_SUITE_P(All, GoodBody, testing::ValuesIn(kGoodBodies), name_of);
INSTANTIATE_TEST_SUITE_P(All, BadBody, testing::ValuesIn(kBadBodies), name_of);

TEST(TraceHash, TellsExecutionsApart) {
  const Body body{"HandOver", hand_over};
  EXPECT_NE(record(body, "random", 1).trace_hash, record(body, "nonpreemptive", 1).trace_hash);
}

// An ordinary test in the same process: explorations around it leave it alone.
TEST(OrdinaryTest, RunsBesideThem) {
  for (void (*body)() :
       {hand_over, use_thread_locals, replace_global_memory, run_asynchronously, pass_through_pipe})
    body();
  pthread_setname_np(pthread_self(), "outer");
  std::mutex mutex;
  int total = 0;
  std::thread thread([&] {
    std::lock_guard<std::mutex> lock(mutex);
    total++;
  });
  {
    std::lock_guard<std::mutex> lock(mutex);
    Options options = quiet();
    options.executions = 100;
    EXPECT_TRUE(explore(hand_over, options).ok());
    EXPECT_TRUE(explore(name_threads, options).ok());
    total++;
  }
  thread.join();
  EXPECT_EQ(total, 2);
  char name[16];
  pthread_getname_np(pthread_self(), name, sizeof name);
  EXPECT_STREQ(name, "outer");
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
