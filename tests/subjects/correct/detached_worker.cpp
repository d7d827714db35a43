// A detached thread announces with a condition variable that it is done, under the lock, as its last act.
// Alarms: it is never joined, and what it wrote lives on the stack of the main thread.
// Right: main leaves only after it has seen the announcement, which came after all uses.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable finished;
bool done = false;

void work(int* result) {
  *result = 17;
  std::lock_guard lock(mutex);
  done = true;
  finished.notify_one();
}

int main() {
  int result = 0;
  std::thread(work, &result).detach();
  std::unique_lock lock(mutex);
  finished.wait(lock, [] { return done; });
  std::printf("%d\n", result);
}
