// expect: crash
// message: SIGKILL, which the program sent itself
// The hard way out, from a thread that is not main.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int ready;

static void* watch(void* unused) {
  if (!atomic_load(&ready)) kill(getpid(), SIGKILL);
  return unused;
}

int main(void) {
  pthread_t watcher;
  pthread_create(&watcher, NULL, watch, NULL);
  atomic_store(&ready, 1);
  pthread_join(watcher, NULL);
}
