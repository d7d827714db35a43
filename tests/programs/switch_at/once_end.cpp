// expect: assertion
// message: window.is_open
// A switch at pthread_once between the end of its routine and its return.
#include "window.h"

pthread_once_t once = PTHREAD_ONCE_INIT;

void operate() {
  pthread_once(&once, [] { window.open(); });
  window.close();
}

int main() {
  watch(operate);
}
