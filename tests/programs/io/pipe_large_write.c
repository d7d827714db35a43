// expect: ok
// One write of more than a pipe holds: its thread waits in the middle of it for the reader.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

enum { kSize = 200 * 1000 };
static char sent[kSize];
static char received[kSize];
static int ends[2];

static void* send_all(void* argument) {
  for (int i = 0; i < kSize; ++i) sent[i] = (char)(i * 7);
  assert(write(ends[1], sent, kSize) == kSize);
  assert(close(ends[1]) == 0);
  return argument;
}

int main(void) {
  pthread_t sender;
  assert(pipe(ends) == 0);
  pthread_create(&sender, NULL, send_all, NULL);
  ssize_t total = 0;
  for (;;) {
    const ssize_t n = read(ends[0], received + total, (size_t)(kSize - total));
    assert(n >= 0);
    if (n == 0) break;
    total += n;
  }
  assert(total == kSize);
  pthread_join(sender, NULL);
  for (int i = 0; i < kSize; i += 997) assert(received[i] == sent[i]);
}
