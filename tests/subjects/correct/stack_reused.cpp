// Short-lived threads whose stacks may come to lie at the same place; each passes a pointer to its locals on
// to a helper that it joins.
// Alarms: the same stack addresses are written by threads that nothing else orders.
// Right: every local is a variable of its own, and its thread outlives the helper.
#include <cstdio>
#include <thread>

int sums[2];

void compute(int number) {
  int values[3] = {number, number + 1, 0};
  std::thread helper([&values] { values[2] = values[0] * values[1]; });
  helper.join();
  sums[number] = values[2];
}

int main() {
  std::thread outer([] {
    std::thread inner(compute, 1);
    inner.join();
  });
  std::thread other(compute, 0);
  outer.join();
  other.join();
  std::printf("%d %d\n", sums[0], sums[1]);
}
