// A reader waits for a message with a time limit and waits again if it has passed.
// Alarms: the wait may end without a notification, so the notification does not order the two.
// Right: the message is looked at under the lock under which it was written.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

std::mutex mutex;
std::condition_variable arrived;
std::string message;

void send() {
  std::lock_guard lock(mutex);
  message = "a message that is longer than what fits into a string itself";
  arrived.notify_one();
}

int main() {
  std::thread sender(send);
  size_t length = 0;
  {
    std::unique_lock lock(mutex);
    while (!arrived.wait_for(lock, std::chrono::milliseconds(5), [] { return !message.empty(); })) {
    }
    length = message.size();
  }
  sender.join();
  std::printf("%zu\n", length);
}
