// expect: ok
// steps: 100
// A flag under a mutex that is only ever tried.
#include <mutex>

#include "handover.h"

std::mutex mutex;
bool full;

int main() {
  hand_over(
      [] {
        fill();
        if (!mutex.try_lock()) return;
        full = true;
        mutex.unlock();
      },
      [] {
        if (!mutex.try_lock()) return;
        const bool ready = full;
        mutex.unlock();
        if (ready) check();
      });
}
