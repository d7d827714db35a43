#include "handler.h"

#include <utility>

namespace logging {

void Handler::handle(const Record& record) {
  handled_.fetch_add(1, std::memory_order_relaxed);
  if (!passes(record.level, threshold())) {
    filtered_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  publish(record);
}

void MemoryHandler::publish(const Record& record) {
  std::string line = formatter_.format(record);
  const std::lock_guard lock(mutex_);
  lines_.push_back(std::move(line));
  if (lines_.size() > limit_) lines_.pop_front();
}

std::vector<std::string> MemoryHandler::lines() const {
  const std::lock_guard lock(mutex_);
  return std::vector<std::string>(lines_.begin(), lines_.end());
}

std::size_t MemoryHandler::size() const {
  const std::lock_guard lock(mutex_);
  return lines_.size();
}

void MemoryHandler::clear() {
  const std::lock_guard lock(mutex_);
  lines_.clear();
}

void CountingHandler::publish(const Record& record) {
  const std::lock_guard lock(mutex_);
  ++counts_[static_cast<int>(record.level)];
}

std::uint64_t CountingHandler::count(Level level) const {
  const std::lock_guard lock(mutex_);
  return counts_[static_cast<int>(level)];
}

std::uint64_t CountingHandler::total() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts_) sum += count;
  return sum;
}

void TriggeringHandler::publish(const Record& record) {
  std::deque<Record> history;
  {
    const std::lock_guard lock(mutex_);
    kept_.push_back(record);
    if (kept_.size() > limit_) kept_.pop_front();
    if (!passes(record.level, trigger_)) return;
    history.swap(kept_);
  }
  for (const Record& kept : history) target_->handle(kept);
}

std::size_t TriggeringHandler::kept() const {
  const std::lock_guard lock(mutex_);
  return kept_.size();
}

void TriggeringHandler::flush() {
  std::deque<Record> history;
  {
    const std::lock_guard lock(mutex_);
    history.swap(kept_);
  }
  for (const Record& kept : history) target_->handle(kept);
  target_->flush();
}

}  // namespace logging
