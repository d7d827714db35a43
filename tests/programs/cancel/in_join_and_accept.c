// expect: ok
// Cancelled while joining another thread, which stays joinable, and while waiting for a connection.
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static int listener;
static pthread_t reader;

static void* read_one(void* argument) {
  char letter;
  assert(read(ends[0], &letter, 1) == 1);
  return argument;
}
static void* join_reader(void* argument) {
  pthread_join(reader, NULL);
  assert(0);
  return argument;
}
static void* accept_one(void* argument) {
  accept(listener, NULL, NULL);
  assert(0);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  assert(pipe(ends) == 0);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  assert(listen(listener, 1) == 0);
  pthread_create(&reader, NULL, read_one, NULL);
  pthread_create(&threads[0], NULL, join_reader, NULL);
  pthread_create(&threads[1], NULL, accept_one, NULL);
  for (int i = 0; i < 2; ++i) {
    void* result = NULL;
    assert(pthread_cancel(threads[i]) == 0);
    assert(pthread_join(threads[i], &result) == 0 && result == PTHREAD_CANCELED);
  }
  assert(write(ends[1], "x", 1) == 1);
  assert(pthread_join(reader, NULL) == 0);
}
