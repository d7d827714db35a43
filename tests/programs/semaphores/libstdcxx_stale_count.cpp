// expect: lost-wakeup
// executions: 20000
// A bug of the standard library of gcc 12: acquire() reads the count, polls until it gives up, and then
// sleeps for as long as the count is what it was *before* polling. If that was 1, the permit was taken, and
// it has just been given back, acquire() sleeps with a permit there for the taking.
#include <mutex>
#include <semaphore>
#include <thread>

std::counting_semaphore<1> permits(1);

// As long as acquire() polls, roughly.
void work() {
  std::mutex mutex;
  for (int i = 0; i < 10; ++i) std::lock_guard lock(mutex);
}

int main() {
  std::thread owner([] {
    permits.acquire();
    work();
    permits.release();
  });
  std::thread waiter([] {
    permits.acquire();
    permits.release();
  });
  owner.join();
  waiter.join();
}
