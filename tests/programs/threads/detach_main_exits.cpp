// expect: exit-code
// main gives the detached thread "enough" time instead of waiting for it.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> saved = false;

int main() {
  std::thread([] { saved = true; }).detach();
  std::this_thread::sleep_for(std::chrono::seconds(10));
  return saved ? 0 : 3;
}
