// expect: ok
// A loop that yields until a deadline passes: the clock must go on, though nobody sleeps.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<bool> stopped = false;

int main() {
  std::thread yielder([] {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
    while (std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    stopped = true;
  });
  while (!stopped) std::this_thread::yield();
  yielder.join();
}
