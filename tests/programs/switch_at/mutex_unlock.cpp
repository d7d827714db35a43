// expect: assertion
// message: window.is_open
// A switch directly at pthread_mutex_unlock that nobody waits for.
#include "window.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void operate() {
  pthread_mutex_lock(&mutex);
  window.open();
  pthread_mutex_unlock(&mutex);
  window.close();
}

int main() {
  watch(operate);
}
