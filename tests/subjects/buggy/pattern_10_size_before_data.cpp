// expect: detect none
// expect: predict atomicity pattern 10 harmful in publish, consume
// A message gets its length in one critical section and its checksum in the next; the reader looks at the
// checksum first, then at the length, in one.
// Heddle: pattern 10, the reader sees an inconsistent state.
// Passes: under the default schedule, where the reader comes afterwards.
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>

struct Message {
  std::mutex mutex;
  int length = 0;
  int checksum = 0;
};

Message message;

void publish() {
  {
    std::lock_guard lock(message.mutex);
    message.length = 3;
  }
  std::lock_guard lock(message.mutex);
  message.checksum = 3 * 7;
}

void consume() {
  std::lock_guard lock(message.mutex);
  const int checksum = message.checksum;
  assert(checksum == message.length * 7);
}

int main() {
  std::thread sender(publish);
  std::thread receiver(consume);
  sender.join();
  receiver.join();
  std::printf("%d\n", message.checksum);
}
