// expect: exit-code
// Sixty-four threads draw a ticket each; load and store are atomic, the draw is not.
#include <atomic>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> next_ticket = 0;
  std::vector<int> tickets(64);
  std::vector<std::thread> threads;
  for (int& ticket : tickets) {
    threads.emplace_back([&] {
      ticket = next_ticket.load();
      next_ticket.store(ticket + 1);
    });
  }
  for (auto& thread : threads) thread.join();

  std::vector<bool> seen(64);
  for (const int ticket : tickets) {
    if (seen[ticket]) return 7;
    seen[ticket] = true;
  }
}
