// expect: ok
// system, popen and posix_spawn from several threads; the output of a command comes from outside.
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static void* by_system(void* argument) {
  const int status = system("exit 3");
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  return argument;
}

static void* by_popen(void* argument) {
  char line[16] = "";
  FILE* stream = popen("echo hello", "r");
  assert(stream != NULL);
  assert(fgets(line, sizeof line, stream) != NULL && strcmp(line, "hello\n") == 0);
  assert(pclose(stream) == 0);
  return argument;
}

static void by_spawn(void) {
  pid_t child;
  char* const arguments[] = {"true", NULL};
  assert(posix_spawnp(&child, "true", NULL, NULL, arguments, environ) == 0);
  int status = 1;
  assert(waitpid(child, &status, 0) == child && status == 0);
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, by_system, NULL);
  pthread_create(&threads[1], NULL, by_popen, NULL);
  by_spawn();
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
