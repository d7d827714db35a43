// expect: assertion
// message: window.is_open
// A switch directly at a pthread_mutex_trylock that fails: the thread has the mutex already.
#include "window.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void operate() {
  pthread_mutex_lock(&mutex);
  window.open();
  pthread_mutex_trylock(&mutex);
  window.close();
  pthread_mutex_unlock(&mutex);
}

int main() {
  watch(operate);
}
