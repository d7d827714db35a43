// expect: ok
// executions: 200
// Threads jump out of nested calls again and again: the call stack that heddle keeps follows, and locks and
// counts are right.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int jumps;

static __attribute__((noinline)) void descend(jmp_buf* target, int depth, int found) {
  if (depth == 0) return;
  if (depth == found) longjmp(*target, 1);
  descend(target, depth - 1, found);
}

static void* jump(void* argument) {
  for (volatile int i = 0; i < 3; ++i) {
    jmp_buf target;
    if (setjmp(target) == 0) descend(&target, 10, 2);
    pthread_mutex_lock(&mutex);
    ++jumps;
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, jump, NULL);
  jump(NULL);
  pthread_join(thread, NULL);
  assert(jumps == 6);
}
