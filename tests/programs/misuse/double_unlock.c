// expect: misuse
// The error path unlocks, and so does the common one; only a late reader takes the error path.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int is_closed;

static void* read_line(void* argument) {
  pthread_mutex_lock(&mutex);
  if (is_closed) pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t reader;
  pthread_create(&reader, NULL, read_line, NULL);
  pthread_mutex_lock(&mutex);
  is_closed = 1;
  pthread_mutex_unlock(&mutex);
  pthread_join(reader, NULL);
}
