// expect: deadlock
// The worker that finds the queue empty leaves by pthread_exit, with the lock in its pocket.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int queued;

static void* consume(void* argument) {
  pthread_mutex_lock(&mutex);
  if (queued == 0) pthread_exit(NULL);
  --queued;
  pthread_mutex_unlock(&mutex);
  return argument;
}

static void* produce(void* argument) {
  pthread_mutex_lock(&mutex);
  ++queued;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t producer;
  pthread_t consumer;
  pthread_create(&producer, NULL, produce, NULL);
  pthread_create(&consumer, NULL, consume, NULL);
  pthread_join(producer, NULL);
  pthread_join(consumer, NULL);
}
