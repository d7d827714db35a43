// expect: lost-wakeup 2
// scale: 2 3 4 5
//
// A thread pool that hangs in its shutdown, after the deadlock in the concurrency package of Thrift's C++
// library. The flag that ends the workers is atomic, so it is set without the lock: a worker that has found
// neither a task nor the flag, and does not wait yet, misses both the flag and its announcement. It then
// waits forever, and shutdown() for it.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "../subject.h"

namespace {

class ThreadPool {
 public:
  using Task = std::function<void()>;

  explicit ThreadPool(int workers) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { work(); });
  }

  void submit(Task task) {
    {
      std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    available_.notify_one();
  }

  // Returns when everything that was submitted has been executed.
  void shutdown() {
    {
      std::unique_lock lock(mutex_, std::defer_lock);
      if (subject::fixed) lock.lock();
      stopping_.store(true);
    }
    available_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

 private:
  void work() {
    while (Task task = next_task()) task();
  }

  Task next_task() {
    std::unique_lock lock(mutex_);
    while (tasks_.empty() && !stopping_.load()) available_.wait(lock);
    if (tasks_.empty()) return nullptr;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    return task;
  }

  std::mutex mutex_;
  std::condition_variable available_;
  std::deque<Task> tasks_;
  std::atomic<bool> stopping_ = false;
  std::vector<std::thread> workers_;
};

unsigned checksum(unsigned block) {
  unsigned sum = block + 1;
  for (int i = 0; i < 16; ++i) sum = sum * 1664525 + 1013904223;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  const int workers = subject::read_count(argc, argv, 2, 5);
  const unsigned blocks = static_cast<unsigned>(workers) + 1;
  std::vector<unsigned> sums(blocks);
  ThreadPool pool(workers);
  for (unsigned i = 0; i < blocks; ++i) {
    pool.submit([&sums, i] { sums[i] = checksum(i); });
  }
  pool.shutdown();
  for (unsigned i = 0; i < blocks; ++i) assert(sums[i] == checksum(i));
}
