#include "logger.h"

#include <stdexcept>
#include <utility>

namespace logging {

std::mutex Logger::hierarchy_;

Logger::Logger(std::string name, Level level) : name_(std::move(name)), level_(level) {}

Logger::~Logger() {
  set_parent(nullptr);
  const std::lock_guard hierarchy(hierarchy_);
  for (Logger* child : children_) {
    const std::lock_guard lock(child->mutex_);
    child->parent_ = nullptr;
  }
}

Level Logger::level() const {
  const std::lock_guard lock(mutex_);
  return level_;
}

void Logger::set_level(Level level) {
  const std::lock_guard lock(mutex_);
  take_level(level);
}

void Logger::take_level(Level level) {
  level_ = level;
  for (Logger* child : children_) {
    const std::lock_guard lock(child->mutex_);
    child->take_level(level);
  }
}

void Logger::set_parent(Logger* parent) {
  const std::lock_guard hierarchy(hierarchy_);
  for (const Logger* above = parent; above != nullptr; above = above->parent_) {
    if (above == this) throw std::invalid_argument(name_ + " would be above itself");
  }
  const std::lock_guard lock(mutex_);
  if (parent_ == parent) return;
  if (parent_ != nullptr) {
    const std::lock_guard parent_lock(parent_->mutex_);
    std::erase(parent_->children_, this);
  }
  parent_ = parent;
  if (parent != nullptr) {
    const std::lock_guard parent_lock(parent->mutex_);
    parent->children_.push_back(this);
  }
}

std::optional<std::string> Logger::parent_name() const {
  const std::lock_guard lock(mutex_);
  if (parent_ == nullptr) return std::nullopt;
  return parent_->name_;
}

size_t Logger::child_count() const {
  const std::lock_guard lock(mutex_);
  return children_.size();
}

void Logger::set_additive(bool additive) {
  const std::lock_guard lock(mutex_);
  additive_ = additive;
}

int Logger::add_handler(std::function<void(const std::string&)> handler) {
  if (!handler) throw std::invalid_argument("a handler is needed");
  const std::lock_guard lock(mutex_);
  handlers_.emplace(++last_number_, std::move(handler));
  return last_number_;
}

bool Logger::remove_handler(int number) {
  const std::lock_guard lock(mutex_);
  return handlers_.erase(number) > 0;
}

size_t Logger::handler_count() const {
  const std::lock_guard lock(mutex_);
  return handlers_.size();
}

size_t Logger::log(Level level, const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (level < level_) return 0;
  return publish(message);
}

size_t Logger::publish(const std::string& message) {
  ++published_;
  for (const auto& [number, handler] : handlers_) handler(message);
  size_t count = handlers_.size();
  if (additive_ && parent_ != nullptr) {
    const std::lock_guard lock(parent_->mutex_);
    count += parent_->publish(message);
  }
  return count;
}

uint64_t Logger::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

}  // namespace logging
