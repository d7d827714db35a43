// expect: ok
// The threads of C11: thrd, mtx, cnd, call_once, tss.
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t slot;
static int initialised;
static int arrived;

static void initialise(void) {
  ++initialised;
}

static int work(void* argument) {
  call_once(&once, initialise);
  tss_set(slot, argument);
  mtx_lock(&mutex);
  ++arrived;
  cnd_signal(&changed);
  mtx_unlock(&mutex);
  return *(int*)tss_get(slot);
}

int main(void) {
  thrd_t threads[2];
  int results[2] = {10, 20};
  mtx_init(&mutex, mtx_plain);
  cnd_init(&changed);
  tss_create(&slot, NULL);
  for (int i = 0; i < 2; ++i) assert(thrd_create(&threads[i], work, &results[i]) == thrd_success);
  mtx_lock(&mutex);
  while (arrived < 2) cnd_wait(&changed, &mutex);
  mtx_unlock(&mutex);
  for (int i = 0; i < 2; ++i) {
    int result;
    thrd_join(threads[i], &result);
    assert(result == results[i]);
  }
  assert(initialised == 1);
}
