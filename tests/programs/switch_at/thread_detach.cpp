// expect: assertion
// message: window.is_open
// A switch directly at pthread_detach.
#include "window.h"

void operate() {
  const pthread_t child = start([] {});
  window.open();
  pthread_detach(child);
  window.close();
}

int main() {
  watch_here(operate);
}
