// Heat on a grid: four threads, each with a band of rows, step from one array to the other with a barrier
// after each step.
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

namespace {

constexpr int kThreads = 4;
constexpr int kSize = 768;

void step(const std::vector<double>& from, std::vector<double>& to, int first, int last) {
  for (int y = first; y < last; ++y) {
    for (int x = 1; x < kSize - 1; ++x) {
      const int at = y * kSize + x;
      to[at] =
          from[at] + 0.2 * (from[at - 1] + from[at + 1] + from[at - kSize] + from[at + kSize] - 4 * from[at]);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int steps = count > 1 ? std::atoi(arguments[1]) : 60;
  std::vector<double> now(kSize * kSize);
  std::vector<double> next(kSize * kSize);
  for (int i = 0; i < kSize; ++i) now[i * kSize + i] = next[i * kSize + i] = 100;
  std::barrier barrier(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      std::vector<double>* from = &now;
      std::vector<double>* to = &next;
      const int rows = (kSize - 2) / kThreads;
      const int first = 1 + i * rows;
      const int last = i == kThreads - 1 ? kSize - 1 : first + rows;
      for (int n = 0; n < steps; ++n) {
        step(*from, *to, first, last);
        barrier.arrive_and_wait();
        std::swap(from, to);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  double total = 0;
  for (const double value : now) total += value;
  std::printf("%d\n", total > 0);
}
