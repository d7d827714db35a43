// expect: ok
// A stack with push by compare-and-exchange and pop of everything by exchange: no ABA is possible.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  int value;
  Node* next;
};
std::atomic<Node*> head = nullptr;

void push(int value) {
  Node* node = new Node{value, head.load(std::memory_order_relaxed)};
  while (
      !head.compare_exchange_weak(node->next, node, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

int pop_all() {
  int sum = 0;
  Node* node = head.exchange(nullptr, std::memory_order_acquire);
  while (node) {
    Node* next = node->next;
    sum += node->value;
    delete node;
    node = next;
  }
  return sum;
}

int main() {
  std::thread first([] { push(1), push(2); });
  std::thread second([] { push(3); });
  int sum = pop_all();
  first.join();
  second.join();
  sum += pop_all();
  assert(sum == 6);
}
