// expect: ok
// Credentials belong to the process: what one thread sets holds for those that wait and those that come
// later.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uid_t wanted;
static int is_set;

static void check(void) {
  uid_t real, effective, saved;
  assert(getresuid(&real, &effective, &saved) == 0);
  assert(saved == wanted);
}

static void* wait_and_check(void* argument) {
  pthread_mutex_lock(&mutex);
  while (!is_set) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  check();
  return argument;
}

static void* set(void* argument) {
  assert(setresuid(-1, -1, wanted) == 0);
  pthread_mutex_lock(&mutex);
  is_set = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  wanted = geteuid() == 0 ? 1 : geteuid();  // only root may set another one
  pthread_create(&threads[0], NULL, wait_and_check, NULL);
  pthread_create(&threads[1], NULL, set, NULL);
  pthread_create(&threads[2], NULL, wait_and_check, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  check();
}
