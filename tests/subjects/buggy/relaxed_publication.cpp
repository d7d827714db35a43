// expect: detect race any in publish, use
// A new table is published through an atomic pointer, but with relaxed order on both sides.
// Heddle: the pointer's accesses do not race, what it points to does.
// Passes: under every interleaving; only a weaker memory shows the harm.
#include <atomic>
#include <cstdio>
#include <thread>

struct Table {
  int size;
};

std::atomic<Table*> table{nullptr};

void publish() {
  Table* fresh = new Table{0};
  fresh->size = 5;
  table.store(fresh, std::memory_order_relaxed);
}

void use() {
  Table* seen = table.load(std::memory_order_relaxed);
  while (seen == nullptr) {
    std::this_thread::yield();
    seen = table.load(std::memory_order_relaxed);
  }
  std::printf("%d\n", seen->size);
}

int main() {
  std::thread publisher(publish);
  std::thread user(use);
  publisher.join();
  user.join();
  delete table.load();
}
