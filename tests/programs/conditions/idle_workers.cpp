// expect: lost-wakeup
// Two workers wait for work on one condition, main for the result on another. The result is announced without
// the mutex, between main's check and its wait: the workers are idle, only main has missed something.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable work;
std::condition_variable finished;
bool has_job = true;
bool stop = false;
std::atomic<bool> done = false;

void work_until_stopped() {
  std::unique_lock lock(mutex);
  for (;;) {
    work.wait(lock, [] { return has_job || stop; });
    if (stop) return;
    has_job = false;
    lock.unlock();
    done.store(true);
    finished.notify_one();
    lock.lock();
  }
}

int main() {
  std::thread first(work_until_stopped);
  std::thread second(work_until_stopped);
  {
    std::unique_lock lock(mutex);
    while (!done.load()) finished.wait(lock);
    stop = true;
  }
  work.notify_all();
  first.join();
  second.join();
}
