// A result announced through an eventfd; the reader sleeps in poll() until it comes.
// Alarms: nothing in the program's memory orders the two threads.
// Right: what is read from the descriptor was written to it before.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <thread>

int descriptor = -1;
int result = 0;

void compute() {
  result = 36;
  const uint64_t one = 1;
  if (write(descriptor, &one, sizeof(one)) != static_cast<ssize_t>(sizeof(one))) std::perror("write");
}

int main() {
  descriptor = eventfd(0, 0);
  std::thread worker(compute);
  pollfd watched = {descriptor, POLLIN, 0};
  while (poll(&watched, 1, -1) != 1) {
  }
  uint64_t count = 0;
  if (read(descriptor, &count, sizeof(count)) != static_cast<ssize_t>(sizeof(count))) return 1;
  std::printf("%d after %d event\n", result, static_cast<int>(count));
  worker.join();
  close(descriptor);
}
