// expect: deadlock
// main waits for the future under a lock that the task needs, unless the task was faster.
#include <future>
#include <mutex>

int main() {
  std::mutex mutex;
  int progress = 0;
  auto task = std::async(std::launch::async, [&] {
    std::lock_guard lock(mutex);
    progress = 100;
  });
  std::lock_guard lock(mutex);
  if (progress < 100) task.get();
}
