// Fails under every schedule.
#include <cassert>
#include <thread>

int main() {
  int sum = 0;
  std::thread adder([&] { sum = 1; });
  adder.join();
  assert(sum == 2);
}
