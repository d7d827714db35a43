// expect: assertion
// message: window.is_open
// A switch directly at pthread_cond_broadcast, with nobody waiting.
#include "window.h"

pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void operate() {
  window.open();
  pthread_cond_broadcast(&changed);
  window.close();
}

int main() {
  watch(operate);
}
