// expect: use-after-free
// message: use of freed memory
// detect: race
// executions: 50
// The use comes after the free in every order.
#include <cstdlib>
#include <thread>

int* block;

int main() {
  block = static_cast<int*>(std::malloc(64));
  std::thread other([] { std::free(block); });
  other.join();
  block[2] = 1;
}
