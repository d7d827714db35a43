// expect: lost-wakeup
// Two threads wait for the same event, and only one of them is told.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable opened;
bool is_open = false;

void enter() {
  std::unique_lock lock(mutex);
  opened.wait(lock, [] { return is_open; });
}

int main() {
  std::thread first(enter);
  std::thread second(enter);
  {
    std::lock_guard lock(mutex);
    is_open = true;
  }
  opened.notify_one();
  first.join();
  second.join();
}
