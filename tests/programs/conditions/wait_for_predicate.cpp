// expect: ok
// wait_for and wait_until with a predicate answer what the predicate says at the end, time-out or not.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  std::thread worker([&] {
    {
      std::lock_guard lock(mutex);
      ready = true;
    }
    changed.notify_all();
  });
  {
    std::unique_lock lock(mutex);
    const bool seen = changed.wait_for(lock, std::chrono::seconds(1), [&] { return ready; });
    assert(seen == ready);
    const auto deadline = std::chrono::system_clock::now() + std::chrono::hours(2);
    const bool seen_later = changed.wait_until(lock, deadline, [&] { return ready; });
    assert(seen_later == ready);
    assert(!seen || seen_later);
    if (!seen_later) assert(std::chrono::system_clock::now() >= deadline);
  }
  worker.join();
}
