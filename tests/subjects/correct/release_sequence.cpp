// A consumer sees the producer's data through a counter that a third thread has updated in between.
// Alarms: the value that the consumer loads was written by a relaxed update, which releases nothing itself.
// Right: updates continue the release sequence of the producer's store, whatever their own order is.
#include <atomic>
#include <cstdio>
#include <thread>

int payload = 0;
std::atomic<int> state{0};

void produce() {
  payload = 7;
  state.store(1, std::memory_order_release);
}

void mark() {
  int seen = 1;
  while (!state.compare_exchange_weak(seen, 2, std::memory_order_relaxed)) {
    seen = 1;
    std::this_thread::yield();
  }
}

void consume() {
  while (state.load(std::memory_order_acquire) != 2) std::this_thread::yield();
  std::printf("payload %d\n", payload);
}

int main() {
  std::thread producer(produce);
  std::thread marker(mark);
  std::thread consumer(consume);
  producer.join();
  marker.join();
  consumer.join();
}
