// expect: lost-wakeup
// The flag is atomic and set without the mutex: the notify falls between the check and the wait.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
std::atomic<bool> ready = false;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    while (!ready.load()) changed.wait(lock);
  });
  ready.store(true);
  changed.notify_one();
  waiter.join();
}
