// expect: exit-code
// addresses: matter
// try_acquire_for may give up although the permit is on its way; the result is used all the same.
#include <chrono>
#include <mutex>
#include <semaphore>
#include <thread>

// Takes longer than try_acquire_for polls before it goes to sleep.
int work() {
  std::mutex mutex;
  for (int i = 0; i < 30; ++i) std::lock_guard lock(mutex);
  return 5;
}

int main() {
  std::binary_semaphore ready(0);
  int result = 0;
  std::thread worker([&] {
    result = work();
    ready.release();
  });
  const bool in_time = ready.try_acquire_for(std::chrono::minutes(1));
  worker.join();
  return in_time ? 0 : result;
}
