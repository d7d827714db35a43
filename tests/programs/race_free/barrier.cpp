// expect: ok
// detect: race
// executions: 200
// addresses: matter
// Two arrays and a barrier after each step.
#include <barrier>
#include <thread>

int arrays[2][4];

int main() {
  std::barrier barrier(2);
  const auto work = [&barrier](int first) {
    for (int step = 0; step < 3; ++step) {
      for (int i = first; i < first + 2; ++i) arrays[(step + 1) % 2][i] = arrays[step % 2][(i + 1) % 4] + 1;
      barrier.arrive_and_wait();
    }
  };
  std::thread other(work, 2);
  work(0);
  other.join();
  return arrays[1][0] - 3;
}
