// expect: crash
// message: abort
// A check by hand that ends in abort().
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> users = 0;

void use() {
  if (users.fetch_add(1) > 0) std::abort();
  users.fetch_sub(1);
}

int main() {
  std::thread other(use);
  use();
  other.join();
}
