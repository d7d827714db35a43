// expect: ok
// executions: 200
// timeouts: idle
// "The worker sleeps for a second, so initialisation is over by then", and so it is if time passes only when
// nobody can run.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<bool> initialised = false;

int main() {
  std::thread worker([] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    assert(initialised);
  });
  initialised = true;
  worker.join();
}
