// expect: ok
// steps: 100
// Writer to reader, and reader to the next writer.
#include <mutex>
#include <shared_mutex>

#include "handover.h"

std::shared_mutex mutex;
bool full;
bool was_read;

int main() {
  hand_over(
      [] {
        fill();
        std::unique_lock first(mutex);
        full = true;
        first.unlock();
        std::unique_lock second(mutex);
        if (was_read) fill();
      },
      [] {
        std::shared_lock guard(mutex);
        if (!full || was_read) return;
        check();
        guard.unlock();
        std::unique_lock writer(mutex);
        was_read = true;
      });
}
