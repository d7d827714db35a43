// expect: ok
// Sixty-four threads take one lock each once.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 64; ++i) {
    threads.emplace_back([&] {
      std::lock_guard lock(mutex);
      ++count;
    });
  }
  for (auto& thread : threads) thread.join();
  assert(count == 64);
}
