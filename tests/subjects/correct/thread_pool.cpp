// A small thread pool: tasks are std::function, results go to slots, and a counter says when all are done.
// Alarms: captured objects are made by one thread and run and destroyed by another.
// Right: tasks go through a queue under a lock, and results are read after the last one has been counted.
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) workers_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }
  void submit(std::function<void()> task) {
    {
      std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
      ++open_;
    }
    changed_.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return open_ == 0; });
  }

 private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
      if (--open_ == 0) finished_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable finished_;
  std::deque<std::function<void()>> tasks_;
  int open_ = 0;
  bool closing_ = false;
  std::vector<std::thread> workers_;
};

int main() {
  std::vector<size_t> lengths(3);
  Pool pool(2);
  for (size_t i = 0; i < lengths.size(); ++i)
    pool.submit([&lengths, i, text = std::string(20 + i, 'x')] { lengths[i] = text.size(); });
  pool.wait();
  std::printf("%zu\n", lengths[0] + lengths[1] + lengths[2]);
}
