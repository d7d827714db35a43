// expect: assertion
// message: window.is_open
// A switch directly at pthread_create.
#include "window.h"

void operate() {
  window.open();
  const pthread_t child = start([] {});
  window.close();
  pthread_join(child, nullptr);
}

int main() {
  watch_here(operate);
}
