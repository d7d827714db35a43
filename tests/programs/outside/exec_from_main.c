// expect: ok
// The program becomes another one while a thread still runs: its end is that of the other program.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static void* work(void* argument) {
  sched_yield();
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  sched_yield();
  execl("/bin/true", "true", (char*)NULL);
  return 1;
}
