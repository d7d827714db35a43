// Small programs of which it can be computed how likely each interleaving is under a random policy:
// sampled_program NAME [THREADS]. Each prints what it saw, or exits with 1 when it saw what is called a bug.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr size_t kMaxEvents = 64;

std::atomic<size_t> events;
uint64_t who[kMaxEvents];  // each in a granule of its own, so that nobody shares them

void event(uint64_t name) {
  who[events.fetch_add(1)] = name;
}

void print_order() {
  std::string order;
  for (size_t i = 0; i < events; ++i) order += static_cast<char>(who[i]);
  std::puts(order.c_str());
}

// Scheduling points that are nobody else's business.
void work(int steps) {
  std::mutex own;
  for (int i = 0; i < steps; ++i) std::lock_guard<std::mutex> lock(own);
}

// Three threads with two events each; they have different amounts of other work.
int orders() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([i] {
      event('a' + i);
      work(4 * i);
      event('a' + i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  print_order();
  return 0;
}

// A thread that creates another one between its events.
int family() {
  std::thread parent([] {
    event('a');
    std::thread child([] {
      work(3);
      event('b');
      event('b');
    });
    event('a');
    event('a');
    child.join();
  });
  std::thread other([] {
    event('c');
    event('c');
  });
  parent.join();
  other.join();
  print_order();
  return 0;
}

// The events are critical sections.
int sections() {
  std::mutex mutex;
  std::string order;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      for (int k = 0; k < 2; ++k) {
        work(2 * i);
        std::lock_guard<std::mutex> lock(mutex);
        order += static_cast<char>('a' + i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::puts(order.c_str());
  return 0;
}

// The intended thread waits for one that waits for its turn, in several ways.
int helpers() {
  std::atomic<int> turn{0};
  std::atomic<bool> done{false};
  std::mutex mutex;
  const auto take_turns = [&](int parity) {
    for (int i = parity; i < 6; i += 2) {
      while (turn.load() != i) std::this_thread::yield();
      std::lock_guard<std::mutex> lock(mutex);
      turn.store(i + 1);
    }
    if (parity == 1) done.store(true);
  };
  std::thread even(take_turns, 0), odd(take_turns, 1);
  std::thread watcher([&] {
    while (!done.load()) std::lock_guard<std::mutex> lock(mutex);
  });
  even.join();
  odd.join();
  watcher.join();
  return 0;
}

// A thread that works on, and does not look as if it waited, until another one has taken many steps.
int impatient() {
  std::atomic<bool> stop{false};
  std::atomic<int> shared{0};
  std::thread works([&] {
    uint64_t turns = 0;
    std::atomic<uint64_t> done{0};
    std::mutex own;
    while (!stop.load()) {
      std::lock_guard<std::mutex> lock(own);
      done.store(++turns);
    }
    shared.fetch_add(1);
  });
  std::thread stops([&] {
    for (int i = 0; i < 50; ++i) shared.fetch_add(1);
    stop.store(true);
  });
  works.join();
  stops.join();
  return 0;
}

constexpr int kCounts = 5;
std::atomic<int> counter;

void count() {
  for (int i = 0; i < kCounts; ++i) counter.fetch_add(1);
}

// Bugs of depth 1, 2 and 3: the order of one pair of steps, of two, and of three.
int before_all() {
  int seen = -1;
  std::thread counts(count), looks([&] { seen = counter.load(); });
  counts.join();
  looks.join();
  return seen == 0 ? 1 : 0;
}

int in_the_middle() {
  int seen = -1;
  std::thread counts(count), looks([&] { seen = counter.load(); });
  counts.join();
  looks.join();
  return seen == kCounts / 2 ? 1 : 0;
}

int middle_and_end() {
  int first = -1, second = -1;
  std::thread counts(count), looks([&] {
    first = counter.load();
    second = counter.load();
  });
  counts.join();
  looks.join();
  return first == kCounts / 2 && second == kCounts ? 1 : 0;
}

// One step of a thread has to come after all the work of another one.
int after_long_work() {
  std::atomic<int> last{0};
  std::thread works([&] {
    work(4);
    last.store(1);
  });
  std::thread single([&] { last.store(2); });
  works.join();
  single.join();
  return last == 2 ? 1 : 0;
}

int thread_count = 0;

template <typename Body>
std::vector<std::thread> start(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(body);
  return threads;
}

// Many set one variable and then another one, one checks both: it has to come between the first write of the
// one and the first write of the other.
int setters() {
  std::atomic<int> a{0}, b{0};
  bool consistent = true;
  std::vector<std::thread> threads = start(thread_count, [&] {
    a.store(1);
    b.store(-1);
  });
  threads.emplace_back([&] {
    const int first = a.load();
    const int second = b.load();
    consistent = first + second == 0;
  });
  for (std::thread& thread : threads) thread.join();
  return consistent ? 0 : 1;
}

// The same under locks: half of the threads write in two critical sections, the other half read in two.
int two_stages() {
  std::mutex first_mutex, second_mutex;
  int first = 0, second = 0;
  bool consistent = true;
  std::vector<std::thread> threads = start(thread_count, [&] {
    {
      std::lock_guard<std::mutex> lock(first_mutex);
      first = 1;
    }
    std::lock_guard<std::mutex> lock(second_mutex);
    second = first + 1;
  });
  threads.emplace_back([&] {
    int seen = 0;
    {
      std::lock_guard<std::mutex> lock(first_mutex);
      seen = first;
    }
    if (seen == 0) return;
    std::lock_guard<std::mutex> lock(second_mutex);
    consistent = second == seen + 1;
  });
  for (std::thread& thread : threads) thread.join();
  return consistent ? 0 : 1;
}

const std::map<std::string, std::function<int()>> kPrograms = {
    {"orders", orders},
    {"family", family},
    {"sections", sections},
    {"helpers", helpers},
    {"impatient", impatient},
    {"before_all", before_all},
    {"in_the_middle", in_the_middle},
    {"middle_and_end", middle_and_end},
    {"after_long_work", after_long_work},
    {"setters", setters},
    {"two_stages", two_stages},
};

}  // namespace

int main(int count, char** arguments) {
  if (count > 2) thread_count = std::atoi(arguments[2]);
  return kPrograms.at(arguments[1])();
}
