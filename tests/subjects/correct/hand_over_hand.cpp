// A sorted list with a lock for every node: the next one is locked before the last one is let go.
// Alarms: no lock is held all the way, each field of the list has another one, and lock orders form chains.
// Right: nobody overtakes another on the list, and locks are always taken front to back.
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Node {
  int value = 0;
  std::mutex mutex;
  std::unique_ptr<Node> next;
};

Node head;

void insert(int value) {
  auto fresh = std::make_unique<Node>();
  fresh->value = value;
  Node* here = &head;
  std::unique_lock lock(here->mutex);
  while (here->next && here->next->value < value) {
    Node* next = here->next.get();
    std::unique_lock next_lock(next->mutex);
    lock = std::move(next_lock);
    here = next;
  }
  fresh->next = std::move(here->next);
  here->next = std::move(fresh);
}

int main() {
  insert(4);
  std::thread one(insert, 6);
  std::thread two(insert, 2);
  std::thread three(insert, 5);
  one.join();
  two.join();
  three.join();
  for (const Node* node = head.next.get(); node != nullptr; node = node->next.get())
    std::printf("%d ", node->value);
  std::printf("\n");
}
