// expect: ok
// library: yes
// executions: 100
// A library's constructor installs a handler. It runs in the thread that the signal is sent to, also while
// that thread waits for a lock which the sender holds.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>

#ifdef LIBRARY

static _Thread_local volatile sig_atomic_t* answer;

void answer_to(volatile sig_atomic_t* where) {
  answer = where;
}

static void handle(int number) {
  *answer = number;
}

static __attribute__((constructor)) void install(void) {
  struct sigaction action = {.sa_handler = handle};
  sigaction(SIGUSR1, &action, NULL);
}

#else

void answer_to(volatile sig_atomic_t* where);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t ready;
static volatile sig_atomic_t answers[2];

static void* wait_for_lock(void* argument) {
  answer_to(&answers[1]);
  pthread_barrier_wait(&ready);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  answer_to(&answers[0]);
  pthread_barrier_init(&ready, NULL, 2);
  pthread_t thread;
  pthread_create(&thread, NULL, wait_for_lock, NULL);
  pthread_mutex_lock(&mutex);
  pthread_barrier_wait(&ready);
  pthread_kill(thread, SIGUSR1);
  while (answers[1] == 0) sched_yield();
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
  assert(answers[0] == 0 && answers[1] == SIGUSR1);
}

#endif
