// expect: assertion
// message: window.is_open
// A switch directly at a poll.
#include <poll.h>
#include <unistd.h>

#include "window.h"

int ends[2];
char letter;

void operate() {
  pollfd entry{ends[0], POLLIN, 0};
  window.open();
  const bool done = poll(&entry, 1, 0) == 1;
  window.close();
  assert(done || entry.fd < 0);
}

int main() {
  if (pipe(ends) != 0 || write(ends[1], "x", 1) != 1) return 2;
  watch(operate);
}
