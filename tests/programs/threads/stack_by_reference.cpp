// expect: assertion
// message: total == 2
// Two threads add to a local variable of main that they captured by reference.
#include <cassert>
#include <thread>

int main() {
  int total = 0;
  auto add = [&total] { total = total + 1; };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  assert(total == 2);
}
