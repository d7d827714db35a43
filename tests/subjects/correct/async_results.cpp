// A sum in two halves by std::async; the vector is shared, and freed when both are done.
// Alarms: nothing but the futures orders the workers' reads with the end of the vector.
// Right: get() returns after the end of the task.
#include <cstdio>
#include <future>
#include <numeric>
#include <vector>

int main() {
  int total = 0;
  {
    std::vector<int> numbers(8);
    std::iota(numbers.begin(), numbers.end(), 1);
    auto sum = [&numbers](int from, int to) {
      return std::accumulate(numbers.begin() + from, numbers.begin() + to, 0);
    };
    std::future<int> low = std::async(std::launch::async, sum, 0, 4);
    std::future<int> high = std::async(std::launch::async, sum, 4, 8);
    total = low.get() + high.get();
    numbers.assign(8, 0);
  }
  std::printf("%d\n", total);
}
