// expect: ok
// A jthread waits for work on a condition_variable_any until its stop token is triggered by the destructor.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable_any changed;
  int queued = 3;
  int done = 0;
  {
    std::jthread worker([&](std::stop_token stop) {
      std::unique_lock lock(mutex);
      while (changed.wait(lock, stop, [&] { return queued > 0; })) {
        --queued;
        ++done;
      }
    });
    {
      std::lock_guard lock(mutex);
      queued += 2;
    }
    changed.notify_one();
  }
  // A stopped wait() still answers with the predicate, so a stop never drops queued work.
  assert(done == 5 && queued == 0);
}
