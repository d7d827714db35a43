// expect: assertion
// message: window.is_open
// A switch directly at pthread_mutex_lock of a free mutex.
#include "window.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void operate() {
  window.open();
  pthread_mutex_lock(&mutex);
  window.close();
  pthread_mutex_unlock(&mutex);
}

int main() {
  watch(operate);
}
