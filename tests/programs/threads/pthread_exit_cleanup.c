// expect: ok
// pthread_exit deep inside a call runs the cleanup handlers, last pushed first, and hands its value to join.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int order[2];
static int runs;

static void unlock(void* argument) {
  order[runs++ % 2] = 1;
  pthread_mutex_unlock(argument);
}

static void note(void* argument) {
  order[runs++ % 2] = *(int*)argument;
}

static void leave(int* result) {
  pthread_exit(result);
}

static void* work(void* result) {
  int two = 2;
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, &mutex);
  pthread_cleanup_push(note, &two);
  leave(result);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int results[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &results[i]);
  for (int i = 0; i < 2; ++i) {
    void* returned;
    pthread_join(threads[i], &returned);
    assert(returned == &results[i]);
  }
  assert(runs == 4 && order[0] == 2 && order[1] == 1);
}
