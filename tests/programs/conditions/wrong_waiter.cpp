// expect: lost-wakeup
// Two threads wait on one condition for different things. The right one always waits first, so that a
// scheduler which wakes in order of arrival never sees the bug: the choice of the waiter must be open.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool early_waits = false;
bool stop_early = false;
bool stop_late = false;

void wait_early() {
  std::unique_lock lock(mutex);
  early_waits = true;
  changed.wait(lock, [] { return stop_early; });
  stop_late = true;
  changed.notify_one();
}

void wait_late() {
  std::unique_lock lock(mutex);
  if (!early_waits) return;
  changed.wait(lock, [] { return stop_late; });
}

int main() {
  std::thread early(wait_early);
  std::thread late(wait_late);
  {
    std::lock_guard lock(mutex);
    stop_early = true;
    changed.notify_one();
  }
  early.join();
  late.join();
}
