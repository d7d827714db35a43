// expect: detect race any in configure, serve
// The port is set before a critical section of the writer and read after one of the reader; the sections
// count lines, so the reader's has read what the writer's wrote.
// Heddle: no happens-before race, and no sync-preserving one, since that count would change. But the two
// accesses have no lock in common, and executing them side by side shows that nothing keeps them apart.
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
