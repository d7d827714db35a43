// expect: ok
// detect: race
// executions: 200
// A byte through a pipe orders what was before it.
#include <unistd.h>
#include <thread>

int value;
int ends[2];

int main() {
  if (pipe(ends) != 0) return 1;
  std::thread other([] {
    value = 1;
    const char byte = 'x';
    if (write(ends[1], &byte, 1) != 1) value = 7;
  });
  char byte;
  const bool got = read(ends[0], &byte, 1) == 1;
  value += 1;
  other.join();
  return got ? value - 2 : 1;
}
