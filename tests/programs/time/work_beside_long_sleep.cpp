// expect: ok
// executions: 20
// A thread works until main, which sleeps for long, tells it to stop. That takes fewer steps than the work of
// such a time would.
#include <atomic>
#include <chrono>
#include <thread>

std::atomic<bool> stop = false;
volatile unsigned cells[400];

int main() {
  std::thread worker([] {
    while (!stop) {
      for (volatile unsigned& cell : cells) cell = cell + 1;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  stop = true;
  worker.join();
}
