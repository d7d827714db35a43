// expect: assertion
// message: !delivered
// A wait that ends by its time-out is taken to mean that nothing was delivered; it may have been, just now.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
bool delivered = false;

int main() {
  std::thread sender([] {
    std::lock_guard lock(mutex);
    delivered = true;
    arrived.notify_one();
  });
  {
    std::unique_lock lock(mutex);
    while (!delivered) {
      if (arrived.wait_for(lock, std::chrono::minutes(5)) == std::cv_status::timeout) {
        assert(!delivered);
        break;
      }
    }
  }
  sender.join();
}
