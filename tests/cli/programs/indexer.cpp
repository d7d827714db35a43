// `indexer` of Flanagan and Godefroid (POPL 2005, figure 1): N threads insert four messages each into a hash
// table. Only from the twelfth thread on do two threads meet in one place of it.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

constexpr int kSize = 128;
constexpr int kMessages = 4;
std::atomic<int> table[kSize];

void insert_messages(int thread) {
  for (int i = 1; i <= kMessages; ++i) {
    const int message = i * 11 + thread;
    int place = message * 7 % kSize;
    int empty = 0;
    while (!table[place].compare_exchange_strong(empty, message)) {
      place = (place + 1) % kSize;
      empty = 0;
    }
  }
}

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(insert_messages, i);
  for (std::thread& thread : threads) thread.join();
}
