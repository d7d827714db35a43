// expect: ok
// steps: 100
// The notify itself orders what came before it, also outside of the mutex.
#include <condition_variable>
#include <mutex>

#include "handover.h"

std::mutex mutex;
std::condition_variable condition;
bool full;

int main() {
  hand_over(
      [] {
        fill();
        std::unique_lock guard(mutex);
        full = true;
        guard.unlock();
        condition.notify_one();
      },
      [] {
        std::unique_lock guard(mutex);
        condition.wait(guard, [] { return full; });
        guard.unlock();
        check();
      });
}
