// expect: ok
// steps: 100
// What a thread did before it let go of a read lock is ordered before the next writer.
#include <mutex>
#include <shared_mutex>

#include "handover.h"

std::shared_mutex mutex;

int main() {
  fill();
  hand_over(
      [] {
        std::shared_lock guard(mutex);
        check();
      },
      [] {
        std::unique_lock guard(mutex);
        fill();
      });
}
