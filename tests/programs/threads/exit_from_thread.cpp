// expect: exit-code
// A worker that starts before the configuration is there gives up for the whole process, with exit().
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<bool> configured = false;

int main() {
  std::thread worker([] {
    if (!configured) std::exit(3);
  });
  configured = true;
  worker.join();
}
