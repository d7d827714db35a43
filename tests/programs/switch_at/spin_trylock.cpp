// expect: assertion
// message: window.is_open
// A switch directly at pthread_spin_trylock of a free lock.
#include "window.h"

pthread_spinlock_t lock;

void operate() {
  window.open();
  pthread_spin_trylock(&lock);
  window.close();
  pthread_spin_unlock(&lock);
}

int main() {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  watch(operate);
}
