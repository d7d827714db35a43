// expect: assertion
// Readers in no order, and a writer that is ordered after only one of them.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
bool done;
volatile int value = 1;

int main() {
  std::thread writer([] {
    std::unique_lock guard(mutex);
    const bool go = done;
    guard.unlock();
    if (go) value = 2;
  });
  std::thread ordered([] {
    const int seen = value;
    assert(seen == 1);
    std::lock_guard guard(mutex);
    done = true;
  });
  std::thread forgotten([] {
    const int first = value;
    const int second = value;
    assert(first == second);
  });
  writer.join();
  ordered.join();
  forgotten.join();
}
