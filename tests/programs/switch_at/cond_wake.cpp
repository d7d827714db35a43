// expect: assertion
// message: item.get()
// A switch between a signal and the moment when the woken thread has the mutex again: a thief is faster.
#include "window.h"

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
HiddenFlag item;
HiddenFlag waits;
HiddenFlag waiter_was_signalled;

void take() {
  pthread_mutex_lock(&mutex);
  if (!item.get()) {
    waits.set(1);
    pthread_cond_wait(&changed, &mutex);
  }
  assert(item.get());
  pthread_mutex_unlock(&mutex);
}

void put() {
  pthread_mutex_lock(&mutex);
  item.set(1);
  waiter_was_signalled.set(waits.get());
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}

void steal() {
  pthread_mutex_lock(&mutex);
  if (waiter_was_signalled.get()) item.set(0);
  pthread_mutex_unlock(&mutex);
}

int main() {
  const pthread_t thief = start(steal);
  watch(take, put);
  pthread_join(thief, nullptr);
}
