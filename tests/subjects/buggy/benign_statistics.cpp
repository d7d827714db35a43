// expect: detect race any in handle, handle
// expect: predict race benign in handle, handle
// A counter of requests without a lock, which nothing in the program depends on.
// Heddle: a race, and both of its orders executed with the same outcome.
// Passes: under every schedule.
#include <cstdio>
#include <thread>

long handled = 0;
int answers[2];

void handle(int request) {
  handled = handled + 1;
  answers[request] = request + 5;
}

int main() {
  std::thread first(handle, 0);
  std::thread second(handle, 1);
  first.join();
  second.join();
  std::printf("%d %d\n", answers[0], answers[1]);
}
