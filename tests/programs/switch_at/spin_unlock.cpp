// expect: assertion
// message: window.is_open
// A switch directly at pthread_spin_unlock.
#include "window.h"

pthread_spinlock_t lock;

void operate() {
  pthread_spin_lock(&lock);
  window.open();
  pthread_spin_unlock(&lock);
  window.close();
}

int main() {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  watch(operate);
}
