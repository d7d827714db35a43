// expect: ok
// Memory freed by one thread and allocated by another carries no history: no alarm, no stale sharing.
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

void churn(int id) {
  for (int round = 0; round < 3; ++round) {
    auto block = std::make_unique<int[]>(16);
    for (int i = 0; i < 16; ++i) block[i] = id;
    for (int i = 0; i < 16; ++i) assert(block[i] == id);
  }
}

int main() {
  for (int round = 0; round < 2; ++round) {
    std::vector<std::thread> threads;
    for (int id = 1; id <= 3; ++id) threads.emplace_back(churn, id);
    for (auto& thread : threads) thread.join();
  }
}
