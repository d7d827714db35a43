/* The C API: success is exit code 0. */
#include <heddle/heddle.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int balance;

static void* add_one(void* argument) {
  int now;
  (void)argument;
  heddle_atomic_set("account", &balance, sizeof balance);
  now = balance;
  heddle_yield();
  balance = now + 1;
  return NULL;
}

static void two_clients(void* argument) {
  pthread_t first, second;
  balance = 0;
  pthread_create(&first, NULL, add_one, NULL);
  pthread_create(&second, NULL, add_one, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  heddle_assume(balance != *(int*)argument);
  if (balance != 2) heddle_fail("an update is lost");
}

#define EXPECT(condition)                                     \
  do {                                                        \
    if (!(condition)) {                                       \
      fprintf(stderr, "line %d: %s\n", __LINE__, #condition); \
      return 1;                                               \
    }                                                         \
  } while (0)

int main(void) {
  struct heddle_options options;
  struct heddle_result result;
  int unwanted = 7;
  char schedule[65536];
  memset(&options, 0, sizeof options);
  options.folder = "";

  EXPECT(heddle_explore(two_clients, &unwanted, &options, &result) == 1);
  EXPECT(result.controlled && result.failures == 1 && result.blocked == 0);
  EXPECT(strcmp(result.kind, "assertion") == 0);
  EXPECT(strstr(result.message, "an update is lost") != NULL);
  EXPECT(result.schedule_file == NULL);

  EXPECT(strlen(result.schedule) < sizeof schedule);
  strcpy(schedule, result.schedule);
  options.schedule = schedule;
  EXPECT(heddle_explore(two_clients, &unwanted, &options, &result) == 1);
  EXPECT(!result.diverged && strcmp(result.kind, "assertion") == 0);

  /* Executions that lose an update are assumed away, and there are some. */
  options.schedule = NULL;
  unwanted = 1;
  options.executions = 1000;
  EXPECT(heddle_explore(two_clients, &unwanted, &options, &result) == 0);
  EXPECT(result.blocked > 0 && result.executions > 0 && result.blocked + result.executions == 1000);
  return 0;
}
