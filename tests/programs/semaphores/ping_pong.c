// expect: ok
// Two POSIX semaphores make two threads take turns; the value and the try and timed calls agree.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <time.h>

static sem_t ping;
static sem_t pong;
static int turns;

static void* answer(void* argument) {
  for (int i = 0; i < 3; ++i) {
    sem_wait(&ping);
    assert(turns % 2 == 1);
    ++turns;
    sem_post(&pong);
  }
  return argument;
}

int main(void) {
  pthread_t other;
  struct timespec deadline = {.tv_sec = 1};
  int value;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 1);
  pthread_create(&other, NULL, answer, NULL);
  for (int i = 0; i < 3; ++i) {
    sem_wait(&pong);
    assert(turns % 2 == 0);
    ++turns;
    sem_post(&ping);
  }
  pthread_join(other, NULL);
  assert(turns == 6);
  sem_getvalue(&pong, &value);
  assert(value == 1);
  assert(sem_trywait(&pong) == 0);
  assert(sem_trywait(&pong) == -1 && errno == EAGAIN);
  assert(sem_timedwait(&pong, &deadline) == -1 && errno == ETIMEDOUT);
  sem_destroy(&ping);
}
