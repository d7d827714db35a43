// expect: detect none
// expect: predict race harmful in configure, serve
// The port is set before a critical section of the writer and read after one of the reader; the lock has
// nothing to do with it.
// Heddle: detect must be silent, since the observed order of the critical sections orders the accesses;
// predict must see that it was luck.
// Passes: under the default schedule, in which the writer comes first.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int log_lines = 0;
int port = 0;

void log_line() {
  std::lock_guard lock(mutex);
  ++log_lines;
}

void configure() {
  port = 8080;
  log_line();
}

void serve() {
  log_line();
  std::printf("port %d\n", port);
}

int main() {
  std::thread writer(configure);
  std::thread reader(serve);
  writer.join();
  reader.join();
}
