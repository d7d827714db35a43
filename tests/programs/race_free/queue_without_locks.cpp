// expect: ok
// detect: race
// executions: 200
// A stack without locks whose nodes are handed over.
#include <atomic>
#include <thread>

struct Node {
  int value;
  Node* next;
};
std::atomic<Node*> top;

void push(int value) {
  auto* node = new Node{value, top.load(std::memory_order_relaxed)};
  while (!top.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

int main() {
  std::thread first([] { push(1); });
  std::thread second([] { push(2); });
  int total = 0;
  while (total < 3) {
    Node* node = top.exchange(nullptr, std::memory_order_acquire);
    if (node == nullptr) std::this_thread::yield();
    while (node != nullptr) {
      total += node->value;
      Node* next = node->next;
      delete node;
      node = next;
    }
  }
  first.join();
  second.join();
}
