// A table that one lock guards in the first phase and another one in the second.
// Alarms: no lock is held at every access, so the lock set is empty.
// Right: a barrier separates the phases.
#include <barrier>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex load_lock;
std::mutex query_lock;
std::barrier loaded(2);
int table = 0;

void work(int amount) {
  {
    std::lock_guard lock(load_lock);
    table += amount;
  }
  loaded.arrive_and_wait();
  std::lock_guard lock(query_lock);
  table += 100;
}

int main() {
  std::thread one(work, 1);
  std::thread other(work, 2);
  one.join();
  other.join();
  std::printf("%d\n", table);
}
