// expect: ok
// flags: -D_GNU_SOURCE
// executions: 5
// Functions that glibc has in several versions, and ThreadSanitizer's runtime as well, are glibc's newest
// ones.
#include <assert.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char* path = realpath("/..", NULL);
  assert(path != NULL && strcmp(path, "/") == 0);
  free(path);

  regex_t expression;
  assert(regcomp(&expression, "b", 0) == 0);
  regmatch_t match = {.rm_so = 2, .rm_eo = 3};
  assert(regexec(&expression, "abc", 1, &match, REG_STARTEND) == REG_NOMATCH);
  regfree(&expression);

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  struct {
    cpu_set_t cpus;
    char behind[sizeof(cpu_set_t)];
  } set;
  memset(&set, 'x', sizeof set);
  assert(pthread_attr_getaffinity_np(&attributes, sizeof set.cpus, &set.cpus) == 0);
  assert(set.behind[0] == 'x');
  pthread_attr_destroy(&attributes);

  char buffer[] = "text";
  FILE* file = fmemopen(buffer, sizeof buffer, "r");
  assert(file != NULL && fgetc(file) == 't');
  fclose(file);
}
