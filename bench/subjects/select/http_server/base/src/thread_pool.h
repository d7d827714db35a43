// A fixed number of threads that work off a bounded queue of tasks.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace web {

class ThreadPool {
 public:
  using Task = std::function<void()>;

  struct Stats {
    std::uint64_t completed = 0;
    std::uint64_t failed = 0;    // tasks that threw
    std::uint64_t rejected = 0;  // not taken: queue full, or shut down
    std::size_t queued = 0;
    std::size_t active = 0;
    std::size_t peak_queued = 0;
  };

  ThreadPool(std::size_t threads, std::size_t queue_capacity);
  /// Runs what is queued, then ends.
  ~ThreadPool();

  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Waits for room in the queue. False after shutdown.
  bool submit(Task task);
  /// Never waits. False if the queue is full, or after shutdown.
  bool try_submit(Task task);

  /// Until no task is queued or running.
  void wait_idle();

  enum class Pending { kRun, kDiscard };
  /// Takes no more tasks and returns when all threads have ended. Returns how many tasks were discarded. May
  /// be called several times, but not by a task.
  std::size_t shutdown(Pending pending);

  Stats stats() const;
  std::size_t threads() const { return thread_count_; }

 private:
  void work();
  void push(Task task);

  const std::size_t thread_count_;
  const std::size_t capacity_;

  mutable std::mutex mutex_;
  std::condition_variable not_empty_;
  std::condition_variable not_full_;
  std::condition_variable idle_;
  std::deque<Task> queue_;
  Stats stats_;
  bool stopping_ = false;

  std::mutex join_mutex_;  // only one caller of shutdown joins
  std::vector<std::thread> threads_;
};

}  // namespace web
