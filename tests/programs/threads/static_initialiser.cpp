// expect: assertion
// message: counter == 2
// executions: 100
// A thread that a static initialiser starts, before main, races with main.
#include <cassert>
#include <thread>

int counter = 0;

struct Service {
  std::thread thread{[] { ++counter; }};
  ~Service() {
    if (thread.joinable()) thread.join();
  }
};

Service service;

int main() {
  ++counter;
  service.thread.join();
  assert(counter == 2);
}
