// expect: ok
// What a thread knows of itself and others: id, name, stack, processors, CPU clock.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static pid_t ids[2];

static void* look(void* argument) {
  const int number = *(int*)argument;
  char name[16];
  pthread_attr_t attributes;
  void* stack;
  size_t size;
  int state;
  cpu_set_t cpus;
  clockid_t clock;
  struct timespec time;
  ids[number] = gettid();
  assert(syscall(SYS_gettid) == ids[number] && ids[number] != getpid());
  assert(pthread_setname_np(pthread_self(), number == 0 ? "first" : "second") == 0);
  sched_yield();
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  assert(strcmp(name, number == 0 ? "first" : "second") == 0);
  assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
  assert(pthread_attr_getstack(&attributes, &stack, &size) == 0);
  assert((char*)&size >= (char*)stack && (char*)&size < (char*)stack + size);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
  pthread_attr_destroy(&attributes);
  assert(pthread_getaffinity_np(pthread_self(), sizeof cpus, &cpus) == 0 && CPU_COUNT(&cpus) >= 1);
  assert(pthread_setaffinity_np(pthread_self(), sizeof cpus, &cpus) == 0);
  assert(pthread_getcpuclockid(pthread_self(), &clock) == 0 && clock_gettime(clock, &time) == 0);
  assert(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int numbers[2] = {0, 1};
  assert(gettid() == getpid());
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, look, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(ids[0] != ids[1]);
}
