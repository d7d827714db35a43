// `lastzero` of Abdulla, Aronis, Jonsson and Sagonas (POPL 2014): N writers that each build on their left
// neighbour, and one thread that looks for the last zero. 2^(N-2) * (N+3) classes of interleavings.
#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

std::atomic<int> values[100];

int main(int, char** arguments) {
  const int writers = std::atoi(arguments[1]);
  std::vector<std::thread> threads;
  threads.emplace_back([writers] {
    int i = writers;
    while (values[i] != 0) --i;
  });
  for (int j = 1; j <= writers; ++j) {
    threads.emplace_back([j] { values[j] = values[j - 1] + 1; });
  }
  for (std::thread& thread : threads) thread.join();
}
