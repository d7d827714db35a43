#include "connection_pool.h"

#include <algorithm>
#include <utility>

namespace net {

ConnectionPool::ConnectionPool(size_t limit, std::string server)
    : server_(std::move(server)), limit_(std::max<size_t>(1, limit)) {}

int ConnectionPool::connect() {
  return ++last_connection_;
}

std::optional<int> ConnectionPool::try_acquire() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      const int connection = idle_.back();
      idle_.pop_back();
      in_use_.insert(connection);
      return connection;
    }
    if (in_use_.size() >= limit_) return std::nullopt;
  }
  // Others need not wait for it.
  const int connection = connect();
  const std::lock_guard lock(mutex_);
  in_use_.insert(connection);
  return connection;
}

bool ConnectionPool::release(int connection) {
  const std::lock_guard lock(mutex_);
  if (in_use_.erase(connection) == 0) return false;
  idle_.push_back(connection);
  close_beyond_limit();
  return true;
}

bool ConnectionPool::discard(int connection) {
  const std::lock_guard lock(mutex_);
  return in_use_.erase(connection) > 0;
}

size_t ConnectionPool::close_idle() {
  const std::lock_guard lock(mutex_);
  const size_t count = idle_.size();
  idle_.clear();
  return count;
}

size_t ConnectionPool::limit() const {
  const std::lock_guard lock(mutex_);
  return limit_;
}

void ConnectionPool::set_limit(size_t limit) {
  const std::lock_guard lock(mutex_);
  limit_ = std::max<size_t>(1, limit);
  close_beyond_limit();
}

void ConnectionPool::close_beyond_limit() {
  while (!idle_.empty() && idle_.size() + in_use_.size() > limit_) idle_.erase(idle_.begin());
}

size_t ConnectionPool::open_count() const {
  const std::lock_guard lock(mutex_);
  return idle_.size() + in_use_.size();
}

size_t ConnectionPool::idle_count() const {
  const std::lock_guard lock(mutex_);
  return idle_.size();
}

bool ConnectionPool::is_in_use(int connection) const {
  const std::lock_guard lock(mutex_);
  return in_use_.contains(connection);
}

std::vector<int> ConnectionPool::in_use() const {
  const std::lock_guard lock(mutex_);
  return {in_use_.begin(), in_use_.end()};
}

}  // namespace net
