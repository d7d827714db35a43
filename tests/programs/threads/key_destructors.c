// expect: ok
// Thread-specific data: destructors run at thread end, again when one of them sets a value anew, and not for
// values that are null.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;
static pthread_key_t unused_key;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int destroyed;

static void destroy(void* value) {
  int* rounds_left = value;
  pthread_mutex_lock(&mutex);
  ++destroyed;
  pthread_mutex_unlock(&mutex);
  if (--*rounds_left > 0) pthread_setspecific(key, value);
}

static void never(void* value) {
  assert(!value && "called for a null value");
}

static void* work(void* argument) {
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, argument);
  pthread_setspecific(unused_key, argument);
  pthread_setspecific(unused_key, NULL);
  assert(pthread_getspecific(key) == argument);
  return NULL;
}

int main(void) {
  int rounds[2] = {1, 3};
  pthread_t threads[2];
  pthread_key_create(&key, destroy);
  pthread_key_create(&unused_key, never);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, &rounds[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(destroyed == 4);
  pthread_key_delete(key);
}
