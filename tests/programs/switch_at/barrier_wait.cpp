// expect: assertion
// message: window.is_open
// A switch directly at pthread_barrier_wait of a barrier for one, which does not block.
#include "window.h"

pthread_barrier_t barrier;

void operate() {
  window.open();
  pthread_barrier_wait(&barrier);
  window.close();
}

int main() {
  pthread_barrier_init(&barrier, nullptr, 1);
  watch(operate);
}
