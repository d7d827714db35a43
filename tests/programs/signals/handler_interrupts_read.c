// expect: ok
// A handler installed without SA_RESTART ends a blocked read with EINTR; one with it does not.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];
static atomic_int handled;
static atomic_int begun;

static void on_signal(int number) {
  if (number == SIGUSR1) atomic_store(&handled, 1);
}

static void* receive(void* argument) {
  char letter;
  atomic_store(&begun, 1);
  ssize_t n;
  do n = read(ends[0], &letter, 1);
  while (n == -1 && errno == EINTR && atomic_load(&handled));
  assert(n == 1);
  return argument;
}

static void install(int number, int flags) {
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = flags};
  assert(sigaction(number, &action, NULL) == 0);
}

int main(void) {
  pthread_t receiver;
  install(SIGUSR1, 0);
  install(SIGUSR2, SA_RESTART);
  assert(pipe(ends) == 0);
  pthread_create(&receiver, NULL, receive, NULL);
  while (!atomic_load(&begun)) continue;
  assert(pthread_kill(receiver, SIGUSR2) == 0);
  assert(pthread_kill(receiver, SIGUSR1) == 0);
  assert(write(ends[1], "x", 1) == 1);
  pthread_join(receiver, NULL);
  assert(atomic_load(&handled) == 1);
}
