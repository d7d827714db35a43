// expect: ok
// executions: 100
// Threads load and unload a library that has thread-local storage while others run that were made before it
// was there.
#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

static void* use(void* argument) {
  void* library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
  assert(library != NULL);
  void* (*globals)(void) = (void* (*)(void))dlsym(library, "__cxa_get_globals");
  assert(globals != NULL && globals() != NULL);
  void* mine = globals();
  pthread_mutex_t* mutex = argument;
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  assert(globals() == mine);
  dlclose(library);
  return mine;
}

int main(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, use, &mutex);
  void* results[2];
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], &results[i]);
  assert(results[0] != NULL && results[1] != NULL);
}
