// The ledger: transfers are posted as entries to a queue, and one worker thread books them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>

namespace bank {

struct Entry {
  int64_t amount;
};

class Ledger {
 public:
  Ledger();
  ~Ledger();  // books what was posted, then stops the worker

  void post(Entry entry);

  // Waits until everything posted so far is booked, and returns the sum of it.
  int64_t settle();

  // The sum of what is booked now.
  int64_t turnover() const;

 private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable posted_;
  std::condition_variable idle_;
  std::deque<Entry> queue_;
  int64_t turnover_ = 0;
  bool booking_ = false;
  bool closing_ = false;
  std::thread worker_;  // last: it uses all of the above
};

}  // namespace bank
