// expect: ok
// Handlers run while their thread waits for a mutex, a condition, a barrier and another thread's end; the
// waits go on afterwards.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int go;
static atomic_int handled;

static void on_signal(int number) {
  (void)number;
  atomic_fetch_add(&handled, 1);
}

static void* wait_for_all(void* argument) {
  pthread_mutex_lock(&mutex);
  while (!go) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_barrier_wait(&barrier);
  return argument;
}

static void* join_it(void* argument) {
  assert(pthread_join(*(pthread_t*)argument, NULL) == 0);
  return NULL;
}

int main(void) {
  pthread_t waiter;
  pthread_t joiner;
  signal(SIGUSR1, on_signal);
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&waiter, NULL, wait_for_all, NULL);
  pthread_create(&joiner, NULL, join_it, &waiter);
  assert(pthread_kill(waiter, SIGUSR1) == 0);
  assert(pthread_kill(joiner, SIGUSR1) == 0);
  pthread_mutex_lock(&mutex);
  go = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  assert(pthread_kill(waiter, SIGUSR1) == 0);
  pthread_barrier_wait(&barrier);
  pthread_join(joiner, NULL);
  assert(atomic_load(&handled) >= 2 && atomic_load(&handled) <= 3);
}
