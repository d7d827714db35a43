// expect: assertion
// inject: wakeups
// A futex wait may return early as well.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int done;

static void* work(void* unused) {
  (void)unused;
  atomic_store(&done, 1);
  syscall(SYS_futex, &done, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  return NULL;
}

int main(void) {
  pthread_t worker;
  pthread_create(&worker, NULL, work, NULL);
  syscall(SYS_futex, &done, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
  assert(atomic_load(&done) == 1);
  pthread_join(worker, NULL);
  return 0;
}
