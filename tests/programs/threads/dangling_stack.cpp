// expect: assertion
// message: *order == 42
// A thread gets a reference to a local of a function that does not wait for it: the frame is used again.
#include <cassert>
#include <thread>

void check(const volatile int* order) {
  assert(*order == 42);
}

__attribute__((noinline)) std::thread place_order() {
  volatile int order = 42;
  return std::thread(check, &order);
}

__attribute__((noinline)) void reuse_stack() {
  volatile int scratch[128];
  for (volatile int& word : scratch) word = 0;
}

int main() {
  std::thread clerk = place_order();
  reuse_stack();
  clerk.join();
}
