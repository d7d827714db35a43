// expect: deadlock
// Three philosophers, three forks: a cycle of three.
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex forks[3];
  std::vector<std::thread> philosophers;
  for (int seat = 0; seat < 3; ++seat) {
    philosophers.emplace_back([&forks, seat] {
      std::lock_guard left(forks[seat]);
      std::lock_guard right(forks[(seat + 1) % 3]);
    });
  }
  for (auto& philosopher : philosophers) philosopher.join();
}
