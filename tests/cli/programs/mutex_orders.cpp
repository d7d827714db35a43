// N threads lock and unlock one mutex: they can come in N! orders.
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;

int main(int, char** arguments) {
  const int threads = std::atoi(arguments[1]);
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) {
    workers.emplace_back([] { std::lock_guard<std::mutex> lock(mutex); });
  }
  for (std::thread& worker : workers) worker.join();
}
