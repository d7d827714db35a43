// expect: ok
// Threads that catch their own faults, on stacks of their own, and jump out of the handler.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>

static _Thread_local sigjmp_buf escape;
static _Thread_local char* stack;
static char* volatile nowhere;
static int faults;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void on_fault(int number, siginfo_t* info, void* context) {
  char here;
  (void)context;
  assert(number == SIGSEGV && info->si_addr == nowhere);
  assert(&here >= stack && &here < stack + 65536);
  siglongjmp(escape, 1);
}

static void* work(void* argument) {
  stack = malloc(65536);
  const stack_t own = {.ss_sp = stack, .ss_size = 65536};
  assert(sigaltstack(&own, NULL) == 0);
  for (int i = 0; i < 3; ++i) {
    if (sigsetjmp(escape, 1) == 0) {
      *nowhere = 1;
      abort();
    }
    pthread_mutex_lock(&mutex);
    ++faults;
    pthread_mutex_unlock(&mutex);
  }
  const stack_t none = {.ss_flags = SS_DISABLE};
  assert(sigaltstack(&none, NULL) == 0);
  free(stack);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  assert(sigaction(SIGSEGV, &action, NULL) == 0);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(faults == 6);
}
