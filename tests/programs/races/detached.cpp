// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// The end of a detached thread orders nothing.
#include <atomic>
#include <thread>

int value;
std::atomic<bool> done;

int main() {
  std::thread([] {
    value = 1;
    done.store(true, std::memory_order_relaxed);
  }).detach();
  while (!done.load(std::memory_order_relaxed)) std::this_thread::yield();
  value = 2;
}
