// expect: misuse
// The writer takes a lock that is free for one that nobody is about to take.
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void* read_value(void* argument) {
  int* seen = argument;
  pthread_rwlock_rdlock(&lock);
  *seen = value;
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t reader;
  int seen = 0;
  pthread_create(&reader, NULL, read_value, &seen);
  pthread_rwlock_wrlock(&lock);
  value = 1;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_destroy(&lock);
  pthread_join(reader, NULL);
}
