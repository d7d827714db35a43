// expect: ok
// detect: race
// executions: 200
// A handler works in the thread that it interrupts.
#include <atomic>
#include <csignal>
#include <thread>

volatile std::sig_atomic_t hits;
int value;

int main() {
  std::signal(SIGUSR1, [](int) { hits = hits + 1; });
  value = 1;
  std::thread other([] { value = 2; });
  std::raise(SIGUSR1);
  other.join();
  return hits + value - 3;
}
