// expect: assertion
// message: pthread_mutex_unlock(&mutex) == 0
// The same with an error-checking mutex: POSIX says what happens, so it is no misuse but an answer, EPERM,
// and the program's own check shows it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex;
static int is_closed;

static void* read_line(void* argument) {
  pthread_mutex_lock(&mutex);
  if (is_closed) pthread_mutex_unlock(&mutex);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return argument;
}

int main(void) {
  pthread_t reader;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attributes);
  pthread_create(&reader, NULL, read_line, NULL);
  pthread_mutex_lock(&mutex);
  is_closed = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(reader, NULL);
}
