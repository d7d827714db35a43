// expect: assertion
// message: window.is_open
// A switch at pthread_once before its routine begins.
#include "window.h"

pthread_once_t once = PTHREAD_ONCE_INIT;

void operate() {
  window.open();
  pthread_once(&once, [] { window.close(); });
}

int main() {
  watch(operate);
}
