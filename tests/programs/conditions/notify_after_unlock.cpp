// expect: ok
// Changing the predicate under the lock and notifying after it is correct, to one and to all.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable opened;
std::condition_variable left;
bool is_open = false;
int inside = 0;

void visit() {
  {
    std::unique_lock lock(mutex);
    opened.wait(lock, [] { return is_open; });
    ++inside;
  }
  left.notify_one();
}

int main() {
  std::thread first(visit);
  std::thread second(visit);
  {
    std::lock_guard lock(mutex);
    is_open = true;
  }
  opened.notify_all();
  {
    std::unique_lock lock(mutex);
    left.wait(lock, [] { return inside == 2; });
  }
  first.join();
  second.join();
}
