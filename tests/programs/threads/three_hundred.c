// expect: ok
// executions: 5
// Three hundred threads at a time, each with a stack, thread-local data and a lock to wait for.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { kThreads = 300 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int here;
static _Thread_local int own;

static void* run(void* argument) {
  own = (int)(long)argument;
  pthread_mutex_lock(&mutex);
  if (++here == kThreads) pthread_cond_broadcast(&all_here);
  while (here < kThreads) pthread_cond_wait(&all_here, &mutex);
  pthread_mutex_unlock(&mutex);
  assert(own == (int)(long)argument);
  return argument;
}

int main(void) {
  pthread_t threads[kThreads];
  for (long i = 0; i < kThreads; ++i) assert(pthread_create(&threads[i], NULL, run, (void*)i) == 0);
  for (long i = 0; i < kThreads; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    assert(result == (void*)i);
  }
}
