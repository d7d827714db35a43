// expect: deadlock
// One permit for one waiter, and a third thread that takes it with sem_trywait if it comes by in time.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t permits;

static void* wait_for_permit(void* argument) {
  sem_wait(&permits);
  return argument;
}

static void* snatch(void* argument) {
  sem_trywait(&permits);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  sem_init(&permits, 0, 0);
  pthread_create(&threads[0], NULL, wait_for_permit, NULL);
  pthread_create(&threads[1], NULL, snatch, NULL);
  sem_post(&permits);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
