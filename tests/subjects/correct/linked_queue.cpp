// A linked queue without locks for many producers and consumers, after Michael and Scott; nodes are freed at
// the end only.
// Alarms: values are plain memory, written before their node is linked and read by whoever unlinks it.
// Right: linking releases, following the link acquires, and only the one that moves the head takes the value.
#include <atomic>
#include <cstdio>
#include <thread>

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};

Node nodes[3];  // the first is the dummy
std::atomic<Node*> head{&nodes[0]};
std::atomic<Node*> tail{&nodes[0]};

void push(Node* node, int value) {
  node->value = value;
  for (;;) {
    Node* last = tail.load(std::memory_order_acquire);
    Node* next = nullptr;
    if (last->next.compare_exchange_strong(next, node, std::memory_order_release,
                                           std::memory_order_acquire)) {
      tail.compare_exchange_strong(last, node, std::memory_order_release, std::memory_order_relaxed);
      return;
    }
    tail.compare_exchange_strong(last, next, std::memory_order_release, std::memory_order_relaxed);
  }
}

int pop() {
  for (;;) {
    Node* first = head.load(std::memory_order_acquire);
    Node* next = first->next.load(std::memory_order_acquire);
    if (next == nullptr)
      std::this_thread::yield();
    else if (head.compare_exchange_strong(first, next, std::memory_order_acq_rel))
      return next->value;
  }
}

int main() {
  std::atomic<int> sum{0};
  std::thread first_producer([] { push(&nodes[1], 20); });
  std::thread second_producer([] { push(&nodes[2], 3); });
  std::thread first_consumer([&] { sum += pop(); });
  std::thread second_consumer([&] { sum += pop(); });
  first_producer.join();
  second_producer.join();
  first_consumer.join();
  second_consumer.join();
  std::printf("%d\n", sum.load());
}
