// expect: crash
// message: abort
// A std::thread that is still joinable goes out of scope on the early return: std::terminate.
#include <atomic>
#include <thread>

std::atomic<bool> failed = false;

int main() {
  std::thread worker([] { failed.store(true); });
  if (failed.load()) return 0;
  worker.join();
}
