// A message published with fences: plain data, a release fence, a relaxed flag; the reader mirrors it.
// Alarms: ThreadSanitizer does not model fences, and Helgrind takes atomic accesses for plain ones.
// Right: the acquire fence synchronises with the release fence, since the load before it saw the flag.
#include <atomic>
#include <cstdio>
#include <thread>

int message[2];
std::atomic<bool> ready{false};

void publish() {
  message[0] = 4;
  message[1] = 2;
  std::atomic_thread_fence(std::memory_order_release);
  ready.store(true, std::memory_order_relaxed);
}

void receive() {
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  std::printf("%d%d\n", message[0], message[1]);
}

int main() {
  std::thread reader(receive);
  std::thread writer(publish);
  reader.join();
  writer.join();
}
