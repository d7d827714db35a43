#include "thread_pool.h"

#include <algorithm>
#include <utility>

namespace web {

ThreadPool::ThreadPool(std::size_t threads, std::size_t queue_capacity)
    : thread_count_(std::max<std::size_t>(threads, 1)), capacity_(std::max<std::size_t>(queue_capacity, 1)) {
  threads_.reserve(thread_count_);
  for (std::size_t i = 0; i < thread_count_; ++i) threads_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  shutdown(Pending::kRun);
}

/// Needs the lock.
void ThreadPool::push(Task task) {
  queue_.push_back(std::move(task));
  stats_.peak_queued = std::max(stats_.peak_queued, queue_.size());
}

bool ThreadPool::submit(Task task) {
  {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [this] { return stopping_ || queue_.size() < capacity_; });
    if (stopping_) {
      ++stats_.rejected;
      return false;
    }
    push(std::move(task));
  }
  not_empty_.notify_one();
  return true;
}

bool ThreadPool::try_submit(Task task) {
  {
    std::lock_guard lock(mutex_);
    if (stopping_ || queue_.size() >= capacity_) {
      ++stats_.rejected;
      return false;
    }
    push(std::move(task));
  }
  not_empty_.notify_one();
  return true;
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    not_empty_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    if (queue_.empty()) return;
    Task task = std::move(queue_.front());
    queue_.pop_front();
    ++stats_.active;
    not_full_.notify_one();
    lock.unlock();
    bool failed = false;
    try {
      task();
    } catch (...) {
      failed = true;
    }
    task = nullptr;  // what it holds is released before the task counts as done
    lock.lock();
    --stats_.active;
    ++(failed ? stats_.failed : stats_.completed);
    if (stats_.active == 0 && queue_.empty()) idle_.notify_all();
  }
}

void ThreadPool::wait_idle() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return stats_.active == 0 && queue_.empty(); });
}

std::size_t ThreadPool::shutdown(Pending pending) {
  std::deque<Task> discarded;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    if (pending == Pending::kDiscard) discarded.swap(queue_);
    if (stats_.active == 0 && queue_.empty()) idle_.notify_all();
  }
  not_empty_.notify_all();
  not_full_.notify_all();
  std::lock_guard lock(join_mutex_);
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  return discarded.size();
}

ThreadPool::Stats ThreadPool::stats() const {
  std::lock_guard lock(mutex_);
  Stats stats = stats_;
  stats.queued = queue_.size();
  return stats;
}

}  // namespace web
