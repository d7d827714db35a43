// CompletionLatch: lets threads wait until so many things have been done.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace waiting {

// Thread-safe. More work may be added while there is some left; when all is done it stays done.
class CompletionLatch {
 public:
  // With less than nothing to do, nothing is to be done.
  explicit CompletionLatch(int64_t pending);
  CompletionLatch(const CompletionLatch&) = delete;
  CompletionLatch& operator=(const CompletionLatch&) = delete;

  // False if all had been done already. Never less than nothing is left.
  bool count_down() { return count_down(1); }
  bool count_down(int64_t done);
  // False if it was too late for that.
  bool add(int64_t more);
  // There is nothing left.
  bool complete();

  bool is_complete() const { return pending() == 0; }
  int64_t pending() const { return pending_.load(); }

  // Until it is complete.
  void wait();
  bool try_wait() const { return is_complete(); }
  // One thing less, and then until the others are done.
  void arrive_and_wait();

 private:
  std::atomic<int64_t> pending_;
  std::mutex mutex_;
  std::condition_variable completed_;
};

}  // namespace waiting
