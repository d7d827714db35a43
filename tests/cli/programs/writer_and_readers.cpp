// One writer, and N readers that come before or after it: 2^N classes of interleavings.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

std::atomic<int> value;

int main(int, char** arguments) {
  const int readers = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  threads.emplace_back([] { value.store(1); });
  for (int i = 0; i < readers; ++i) {
    threads.emplace_back([] { value.load(); });
  }
  for (std::thread& thread : threads) thread.join();
}
