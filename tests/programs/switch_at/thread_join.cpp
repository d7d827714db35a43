// expect: assertion
// message: window.is_open
// A switch at pthread_join, to a thread other than the one that is joined.
#include "window.h"

void operate() {
  const pthread_t child = start([] {});
  window.open();
  pthread_join(child, nullptr);
  window.close();
}

int main() {
  watch_here(operate);
}
