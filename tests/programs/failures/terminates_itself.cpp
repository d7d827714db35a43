// expect: crash
// message: SIGTERM, which the program sent itself
// A watchdog that gives up on its own process.
#include <atomic>
#include <csignal>
#include <thread>

std::atomic<bool> alive = false;

int main() {
  std::thread worker([] { alive = true; });
  if (!alive) std::raise(SIGTERM);
  worker.join();
}
