// expect: ok
// Threads allocate, hand over and free each other's memory; the allocator orders nothing by itself.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<std::unique_ptr<std::vector<int>>> shelf;

void work(int id) {
  for (int round = 0; round < 3; ++round) {
    auto mine = std::make_unique<std::vector<int>>(10 + id, id);
    std::unique_ptr<std::vector<int>> taken;
    {
      std::lock_guard lock(mutex);
      if (!shelf.empty()) {
        taken = std::move(shelf.back());
        shelf.pop_back();
      }
      shelf.push_back(std::move(mine));
    }
    if (taken) assert(taken->size() == 10u + taken->front());
  }
}

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  work(3);
  first.join();
  second.join();
  assert(!shelf.empty());
}
