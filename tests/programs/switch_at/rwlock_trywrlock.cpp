// expect: assertion
// message: window.is_open
// A switch directly at pthread_rwlock_trywrlock of a free lock.
#include "window.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void operate() {
  window.open();
  pthread_rwlock_trywrlock(&lock);
  window.close();
  pthread_rwlock_unlock(&lock);
}

int main() {
  watch(operate);
}
