// expect: ok
// detect: race
// executions: 200
// Detached threads, one after the other, whose stacks and thread-locals are the same memory.
#include <atomic>
#include <string>
#include <thread>

std::atomic<int> ended;
thread_local std::string name = "a text that is longer than a short one";
thread_local int counter;

void work() {
  int locals[64] = {};
  for (int& local : locals) local = ++counter;
  name += locals[3] != 0 ? "x" : "y";
  ended.fetch_add(1, std::memory_order_relaxed);
}

int main() {
  for (int i = 1; i <= 3; ++i) {
    std::thread(work).detach();
    while (ended.load(std::memory_order_relaxed) < i) std::this_thread::yield();
  }
}
