// expect: lost-wakeup
// A switch directly before pthread_cond_wait gives up the mutex: the signal is sent between check and
// wait.
#include "window.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
HiddenFlag ready;

void wait_until_ready() {
  pthread_mutex_lock(&mutex);
  if (!ready.get()) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

void announce() {
  ready.set(1);
  pthread_cond_signal(&changed);
}

int main() {
  watch(wait_until_ready, announce);
}
