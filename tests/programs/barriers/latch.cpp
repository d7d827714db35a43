// expect: ok
// addresses: matter
// std::latch as a starting gun and as a finishing line.
#include <cassert>
#include <latch>
#include <thread>
#include <vector>

int main() {
  std::latch start(1);
  std::latch finish(2);
  int input = 0;
  int outputs[2] = {};
  std::vector<std::thread> runners;
  for (int& output : outputs) {
    runners.emplace_back([&] {
      start.wait();
      output = input * 2;
      finish.count_down();
    });
  }
  assert(!finish.try_wait());
  input = 21;
  start.count_down();
  finish.wait();
  assert(outputs[0] == 42 && outputs[1] == 42);
  for (auto& runner : runners) runner.join();
}
