// Routes published by pointer: a writer swaps in a new table, and the old one is freed when the readers are
// done.
// Alarms: readers take no lock, and the old table is freed by another thread than its readers.
// Right: the pointer is published with release and read with acquire, and joining ends the grace period.
#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>

struct Table {
  int gateway;
  int backup;
};

std::atomic<Table*> routes{nullptr};
int distances[2];

void route(int reader) {
  const Table* table = routes.load(std::memory_order_acquire);
  distances[reader] = table->backup - table->gateway;
}

int main() {
  std::unique_ptr<Table> old(new Table{1, 4});
  routes.store(old.get(), std::memory_order_release);
  std::thread first(route, 0);
  std::thread second(route, 1);
  std::unique_ptr<Table> fresh(new Table{7, 10});
  routes.store(fresh.get(), std::memory_order_release);
  first.join();
  second.join();
  old.reset();
  std::printf("%d %d\n", distances[0], distances[1]);
}
