// expect: ok
// steps: 100
// A flag under a mutex.
#include <mutex>

#include "handover.h"

std::mutex mutex;
bool full;

int main() {
  hand_over(
      [] {
        fill();
        std::lock_guard guard(mutex);
        full = true;
      },
      [] {
        std::unique_lock guard(mutex);
        const bool ready = full;
        guard.unlock();
        if (ready) check();
      });
}
