// Opposite lock orders behind a reader-writer lock: one side holds it shared, the other one exclusively.
// Alarms: the lock-order graph has a cycle, and a shared lock is not always counted as a gate.
// Right: a reader and a writer of the gate cannot be inside at once.
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex gate;
std::mutex index_lock;
std::mutex store_lock;
int entries = 0;

void insert() {
  std::shared_lock enter(gate);
  std::lock_guard outer(index_lock);
  std::lock_guard inner(store_lock);
  ++entries;
}

void rebuild() {
  std::lock_guard enter(gate);
  std::lock_guard outer(store_lock);
  std::lock_guard inner(index_lock);
  entries += 10;
}

int main() {
  std::thread user(insert);
  std::thread keeper(rebuild);
  user.join();
  keeper.join();
  std::printf("%d\n", entries);
}
