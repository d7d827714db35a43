// expect: assertion
// message: window.is_open
// A switch directly before pthread_cond_timedwait gives up the mutex: only there is the window open while
// the mutex is taken.
#include <time.h>

#include "window.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
const timespec deadline = {1, 0};

void operate() {
  pthread_mutex_lock(&mutex);
  window.open();
  pthread_cond_timedwait(&changed, &mutex, &deadline);
  window.close();
  pthread_mutex_unlock(&mutex);
}

void look_if_locked() {
  if (pthread_mutex_trylock(&mutex) != 0) {
    look();
    return;
  }
  pthread_mutex_unlock(&mutex);
}

int main() {
  watch(operate, look_if_locked);
}
