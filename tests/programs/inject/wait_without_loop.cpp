// expect: assertion
// inject: wakeups
// The condition is checked once: a wake-up that nobody caused is taken for the message.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
bool has_message = false;

int main() {
  std::thread receiver([] {
    std::unique_lock lock(mutex);
    if (!has_message) arrived.wait(lock);
    assert(has_message);
  });
  {
    std::lock_guard lock(mutex);
    has_message = true;
  }
  arrived.notify_one();
  receiver.join();
}
