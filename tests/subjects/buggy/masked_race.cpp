// expect: predict race harmful in configure, serve
// The port is set before a critical section of the writer and read after one of the reader; the lock has
// nothing to do with it.
// Heddle: the observed order of the critical sections orders the accesses, so that other tools are silent;
// prediction sees that it was luck.
// Passes: under the default schedule, in which the writer comes first.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int log_times[2];
int port = 0;

void log_time(int thread, int time) {
  std::lock_guard lock(mutex);
  log_times[thread] = time;
}

void configure() {
  port = 8080;
  log_time(0, 10);
}

void serve() {
  log_time(1, 20);
  std::printf("port %d\n", port);
}

int main() {
  std::thread writer(configure);
  std::thread reader(serve);
  writer.join();
  reader.join();
}
