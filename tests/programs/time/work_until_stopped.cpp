// expect: ok
// executions: 50
// A thread works until main, which sleeps meanwhile, tells it to stop: work takes time, so the sleep ends
// although the worker can always go on.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> stop = false;
std::atomic<long> done = 0;

int main() {
  std::thread worker([] {
    while (!stop) ++done;
  });
  const long before = done;
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  while (done == before) std::this_thread::yield();
  stop = true;
  worker.join();
}
