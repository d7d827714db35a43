// expect: assertion
// message: popped != kept
// ABA: pop() reads the head and its successor; meanwhile another thread takes both, keeps the successor and
// puts the head back. The exchange still finds the head it expects, and makes the successor the new head.
#include <atomic>
#include <cassert>
#include <thread>

struct Node {
  std::atomic<Node*> next = nullptr;
};
Node top;
Node bottom;
std::atomic<Node*> head = nullptr;

void push(Node* node) {
  Node* old_head = head.load();
  do {
    node->next.store(old_head);
  } while (!head.compare_exchange_weak(old_head, node));
}

Node* pop() {
  Node* node = head.load();
  while (node && !head.compare_exchange_weak(node, node->next.load())) {
  }
  return node;
}

int main() {
  push(&bottom);
  push(&top);
  Node* kept = nullptr;
  std::thread other([&kept] {
    Node* all = head.exchange(nullptr);
    if (!all) return;
    kept = all->next.load();
    push(all);
  });
  pop();
  Node* popped = pop();
  other.join();
  assert(!popped || popped != kept);
}
