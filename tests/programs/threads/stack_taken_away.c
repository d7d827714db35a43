// expect: ok
// Stacks that the program brings along, and unmaps or uses for the next thread once the thread has been
// joined.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { kSize = 128 * 1024 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local int own = 1;
static int sum;

static void* add(void* stack) {
  char here;
  assert(stack == NULL || (&here >= (char*)stack && &here < (char*)stack + kSize));
  pthread_mutex_lock(&mutex);
  sum += own++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static pthread_t start(char* stack) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kSize);
  assert(pthread_create(&thread, &attributes, add, stack) == 0);
  pthread_attr_destroy(&attributes);
  return thread;
}

int main(void) {
  pthread_t beside;
  pthread_create(&beside, NULL, add, NULL);

  char* mapped = mmap(NULL, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < 2; ++i) {
    pthread_join(start(mapped), NULL);
    memset(mapped, 0xff, kSize);
  }
  munmap(mapped, kSize);

  char* allocated = aligned_alloc(64, kSize);
  pthread_join(start(allocated), NULL);
  free(allocated);

  pthread_t last;
  pthread_create(&last, NULL, add, NULL);
  pthread_join(last, NULL);
  pthread_join(beside, NULL);
  assert(sum == 5);
}
