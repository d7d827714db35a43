#include "async_handler.h"

#include <stdexcept>
#include <utility>

namespace logging {

AsyncHandler::AsyncHandler(std::shared_ptr<Handler> target, std::size_t capacity, Overflow overflow)
    : target_(std::move(target)), overflow_(overflow), ring_(capacity) {
  if (capacity == 0) throw std::invalid_argument("the queue of a handler needs room for one record at least");
  thread_ = std::thread([this] { run(); });
}

AsyncHandler::~AsyncHandler() {
  close();
}

void AsyncHandler::publish(const Record& record) {
  // A program that logs more than the queue can take should not pay for what is lost.
  if (overflow_ == Overflow::kDrop && count_ == ring_.size()) {
    ++dropped_;
    return;
  }
  std::unique_lock lock(mutex_);
  if (overflow_ == Overflow::kWait) {
    not_full_.wait(lock, [this] { return count_ < ring_.size() || closed_; });
  }
  if (closed_ || count_ == ring_.size()) {
    ++dropped_;
    return;
  }
  ring_[(first_ + count_) % ring_.size()] = record;
  ++count_;
  not_empty_.notify_one();
}

void AsyncHandler::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    not_empty_.wait(lock, [this] { return count_ > 0 || closed_; });
    if (count_ == 0) return;
    const Record record = std::move(ring_[first_]);
    first_ = (first_ + 1) % ring_.size();
    --count_;
    working_ = true;
    not_full_.notify_one();
    lock.unlock();
    target_->handle(record);
    lock.lock();
    working_ = false;
    if (count_ == 0) idle_.notify_all();
  }
}

void AsyncHandler::flush() {
  {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return count_ == 0 && !working_; });
  }
  target_->flush();
}

void AsyncHandler::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
    not_full_.notify_all();
  }
  const std::lock_guard lock(join_mutex_);
  if (thread_.joinable()) thread_.join();
}

std::size_t AsyncHandler::pending() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

std::uint64_t AsyncHandler::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace logging
