// expect: race
// message: data race on
// detect: race
// executions: 50
// A block is copied while the middle of it is written.
#include <cstring>
#include <thread>

char from[256];
char to[256];

int main() {
  std::thread other([] { from[100] = 1; });
  std::memcpy(to, from, sizeof to);
  other.join();
  return to[0];
}
