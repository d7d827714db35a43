// expect: ok
// executions: 50
// A thread that cannot be created is reported to its creator as by glibc, and the threads made before and
// after it work.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ran;

static void* run(void* argument) {
  pthread_mutex_lock(&mutex);
  ++ran;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t before, after, never;
  assert(pthread_create(&before, NULL, run, NULL) == 0);
  pthread_attr_t huge;
  pthread_attr_init(&huge);
  assert(pthread_attr_setstacksize(&huge, (size_t)1 << 50) == 0);
  const int error = pthread_create(&never, &huge, run, NULL);
  assert(error == EAGAIN || error == ENOMEM || error == EINVAL);
  pthread_attr_destroy(&huge);
  assert(pthread_create(&after, NULL, run, NULL) == 0);
  pthread_join(before, NULL);
  pthread_join(after, NULL);
  assert(ran == 2);
}
