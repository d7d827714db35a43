// A stack without locks, after Treiber; each node is pushed once.
// Alarms: a node's `next` and `value` are plain, written by the pusher and read by whoever pops.
// Right: the exchange of the top that publishes the node releases, the one that takes it acquires.
#include <atomic>
#include <cstdio>
#include <thread>

struct Node {
  int value = 0;
  Node* next = nullptr;
};

std::atomic<Node*> top{nullptr};

void push(Node& node, int value) {
  node.value = value;
  node.next = top.load(std::memory_order_relaxed);
  while (!top.compare_exchange_weak(node.next, &node, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

int pop() {
  Node* node = top.load(std::memory_order_acquire);
  for (;;) {
    if (node == nullptr) {
      std::this_thread::yield();
      node = top.load(std::memory_order_acquire);
    } else if (top.compare_exchange_weak(node, node->next, std::memory_order_acquire)) {
      return node->value;
    }
  }
}

int main() {
  Node nodes[2];
  int popped[2] = {};
  std::thread pushers[2];
  std::thread poppers[2];
  for (int i = 0; i < 2; ++i) {
    pushers[i] = std::thread([&, i] { push(nodes[i], i + 4); });
    poppers[i] = std::thread([&, i] { popped[i] = pop(); });
  }
  for (int i = 0; i < 2; ++i) {
    pushers[i].join();
    poppers[i].join();
  }
  std::printf("%d\n", popped[0] + popped[1]);
}
