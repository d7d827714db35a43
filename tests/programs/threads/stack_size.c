// expect: ok
// flags: -D_GNU_SOURCE
// executions: 20
// Threads have the stack that was asked for, of whatever size, and pthread_getattr_np says where it is.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void* check(void* argument) {
  const size_t* expected = argument;
  pthread_attr_t attributes;
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  void* low = NULL;
  size_t size = 0;
  assert(pthread_attr_getstack(&attributes, &low, &size) == 0);
  pthread_attr_destroy(&attributes);
  const char* here = (const char*)&attributes;
  assert((const char*)low < here && here < (const char*)low + size);
  assert(size >= *expected);
  return NULL;
}

static void run(const pthread_attr_t* attributes, size_t expected) {
  pthread_t thread;
  assert(pthread_create(&thread, attributes, check, &expected) == 0);
  pthread_join(thread, NULL);
}

int main(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  size_t usual;
  pthread_attr_getstacksize(&attributes, &usual);
  run(NULL, usual);
  const size_t sizes[] = {256 << 10, 1 << 20, 8 << 20, 64 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    pthread_attr_setstacksize(&attributes, sizes[i]);
    run(&attributes, sizes[i]);
  }
  void* own = NULL;
  assert(posix_memalign(&own, 4096, 1 << 20) == 0);
  pthread_attr_setstack(&attributes, own, 1 << 20);
  run(&attributes, 1 << 20);
  free(own);
  pthread_attr_destroy(&attributes);
}
