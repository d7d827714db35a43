// expect: assertion
// message: counter == 2
// library: yes
// executions: 100
// A thread that a library's static initialiser starts, before those of the program, races with main.
#include <cassert>
#include <thread>

#ifdef LIBRARY

int counter = 0;
std::thread service([] { ++counter; });

#else

extern int counter;
extern std::thread service;

int main() {
  ++counter;
  service.join();
  assert(counter == 2);
}

#endif
