// expect: misuse
// A reader that was turned away by tryrdlock unlocks anyway, and throws out the writer.
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* peek(void* argument) {
  const int result = pthread_rwlock_tryrdlock(&lock);
  int* seen = argument;
  if (result == 0) *seen = value;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t reader;
  int seen = 0;
  pthread_create(&reader, NULL, peek, &seen);
  pthread_rwlock_wrlock(&lock);
  value = 1;
  pthread_rwlock_unlock(&lock);
  pthread_join(reader, NULL);
}
