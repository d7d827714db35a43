// expect: ok
// An eventfd as semaphore: three posts, three takers.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/eventfd.h>

static int semaphore;

static void* take(void* argument) {
  eventfd_t value = 0;
  assert(eventfd_read(semaphore, &value) == 0);
  assert(value == 1);
  return argument;
}

int main(void) {
  pthread_t threads[3];
  semaphore = eventfd(0, EFD_SEMAPHORE);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, take, NULL);
  assert(eventfd_write(semaphore, 1) == 0);
  assert(eventfd_write(semaphore, 2) == 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
