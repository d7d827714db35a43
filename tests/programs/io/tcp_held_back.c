// expect: ok
// executions: 10
// timeouts: idle
// The kernel holds back the second letter until the first is acknowledged, which takes it 40 ms of real time.
// To the program, which waits for it with a timeout, that takes no time: nobody can run before it has
// arrived.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int received;
static int ends[2];

static void connect_ends(void) {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  assert(bind(listener, (struct sockaddr*)&address, size) == 0);
  assert(getsockname(listener, (struct sockaddr*)&address, &size) == 0);
  assert(listen(listener, 1) == 0);
  ends[0] = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(ends[0], (struct sockaddr*)&address, size) == 0);
  ends[1] = accept(listener, NULL, NULL);
  assert(ends[1] >= 0);
  close(listener);
  const int no = 0;
  assert(setsockopt(ends[1], IPPROTO_TCP, TCP_QUICKACK, &no, sizeof no) == 0);
}

static void* receive(void* argument) {
  char letter;
  while (read(ends[1], &letter, 1) == 1) {
    pthread_mutex_lock(&mutex);
    ++received;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return argument;
}

int main(void) {
  connect_ends();
  pthread_t receiver;
  pthread_create(&receiver, NULL, receive, NULL);

  pthread_mutex_lock(&mutex);
  assert(write(ends[0], "a", 1) == 1);
  while (received < 1) pthread_cond_wait(&changed, &mutex);
  assert(write(ends[0], "b", 1) == 1);
  struct timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1;
  while (received < 2) assert(pthread_cond_timedwait(&changed, &mutex, &deadline) == 0);
  pthread_mutex_unlock(&mutex);

  close(ends[0]);
  pthread_join(receiver, NULL);
}
