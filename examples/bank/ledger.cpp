#include "ledger.h"

namespace bank {

Ledger::Ledger() : worker_([this] { work(); }) {}

Ledger::~Ledger() {
  {
    std::lock_guard lock(mutex_);
    closing_ = true;
  }
  posted_.notify_one();
  worker_.join();
}

void Ledger::post(Entry entry) {
  {
    std::lock_guard lock(mutex_);
    queue_.push_back(entry);
  }
  posted_.notify_one();
}

int64_t Ledger::settle() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return queue_.empty() && !booking_; });
  return turnover_;
}

int64_t Ledger::turnover() const {
  std::lock_guard lock(mutex_);
  return turnover_;
}

void Ledger::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    posted_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const Entry entry = queue_.front();
    queue_.pop_front();
    booking_ = true;
    lock.unlock();
    // A real ledger would write to disk here, which is why the lock is not held.
    lock.lock();
    turnover_ += entry.amount;
    booking_ = false;
    if (queue_.empty()) idle_.notify_all();
  }
}

}  // namespace bank
