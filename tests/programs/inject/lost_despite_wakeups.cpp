// expect: lost-wakeup
// inject: wakeups:2
// Nothing promises a spurious wake-up, so a thread that only such a one could save counts as lost.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable started;

int main() {
  std::thread worker([] {
    std::unique_lock lock(mutex);
    started.wait(lock);
  });
  started.notify_one();
  worker.join();
}
