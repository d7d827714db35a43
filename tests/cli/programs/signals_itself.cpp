// Sends itself a signal: between which two steps it arrives is more than a reduction knows.
#include <csignal>
#include <mutex>
#include <thread>

std::mutex mutex;

int main() {
  std::signal(SIGUSR1, [](int) {});
  std::thread other([] { std::lock_guard<std::mutex> lock(mutex); });
  std::raise(SIGUSR1);
  {
    std::lock_guard<std::mutex> lock(mutex);
  }
  other.join();
}
