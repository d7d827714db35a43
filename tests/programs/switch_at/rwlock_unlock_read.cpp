// expect: assertion
// message: window.is_open
// A switch directly at pthread_rwlock_unlock of a read lock.
#include "window.h"

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void operate() {
  pthread_rwlock_rdlock(&lock);
  window.open();
  pthread_rwlock_unlock(&lock);
  window.close();
}

int main() {
  watch(operate);
}
