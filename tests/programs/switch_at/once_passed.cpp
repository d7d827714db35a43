// expect: assertion
// message: window.is_open
// A switch directly at a pthread_once that has nothing left to do.
#include "window.h"

pthread_once_t once = PTHREAD_ONCE_INIT;

void operate() {
  window.open();
  pthread_once(&once, [] {});
  window.close();
}

int main() {
  pthread_once(&once, [] {});
  watch(operate);
}
