// expect: assertion
// message: done
// Polling ten times with a millisecond in between is no way to wait.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<bool> done = false;

int main() {
  std::thread worker([] { done = true; });
  for (int i = 0; i < 3 && !done; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  assert(done);
  worker.join();
}
