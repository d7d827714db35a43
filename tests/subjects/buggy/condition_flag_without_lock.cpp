// expect: detect race any in set_ready
// expect: predict race any in set_ready
// The flag that a condition variable waits for is set without the lock.
// Heddle: a race on the flag. It may also lose the wake-up.
// Passes: under the default schedule, where the flag is set first.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool ready = false;

void set_ready() {
  ready = true;
  changed.notify_one();
}

void wait_ready() {
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return ready; });
  std::printf("ready\n");
}

int main() {
  std::thread setter(set_ready);
  std::thread waiter(wait_ready);
  setter.join();
  waiter.join();
}
