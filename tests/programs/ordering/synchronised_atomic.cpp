// expect: assertion
// An atomic is a point even where every execution happens to order its two uses by an unrelated lock.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int lines;
std::atomic<bool> ready;

void log() {
  std::lock_guard guard(mutex);
  lines++;
}

int main() {
  std::thread worker([] {
    log();
    const bool is_ready = ready;
    assert(is_ready);
  });
  ready = true;
  log();
  worker.join();
}
