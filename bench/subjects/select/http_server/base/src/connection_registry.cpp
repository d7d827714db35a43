#include "connection_registry.h"

#include <algorithm>
#include <utility>

namespace web {

std::optional<ConnectionRegistry::Id> ConnectionRegistry::add(std::shared_ptr<Connection> connection) {
  const Millis now = clock_.now();
  std::lock_guard lock(mutex_);
  if (draining_ || entries_.size() >= max_connections_) {
    ++counts_.refused;
    return std::nullopt;
  }
  auto entry = std::make_shared<Entry>();
  entry->id = ++last_id_;
  entry->connection = std::move(connection);
  entry->idle_since = now;
  entries_.emplace(entry->id, entry);
  ++counts_.accepted;
  counts_.peak = std::max(counts_.peak, entries_.size());
  return entry->id;
}

void ConnectionRegistry::remove(Id id) {
  std::shared_ptr<Entry> removed;  // destroyed outside of the lock
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return;
  removed = std::move(found->second);
  entries_.erase(found);
  if (entries_.empty()) empty_.notify_all();
}

bool ConnectionRegistry::mark_busy(Id id) {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second->closing) return false;
  found->second->busy = true;
  ++found->second->requests;
  return true;
}

bool ConnectionRegistry::mark_idle(Id id) {
  const Millis now = clock_.now();
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end()) return false;
  Entry& entry = *found->second;
  entry.busy = false;
  entry.idle_since = now;
  if (draining_) entry.closing = true;
  return !entry.closing;
}

std::size_t ConnectionRegistry::close_idle(Millis longer_than) {
  const Millis now = clock_.now();
  std::vector<std::shared_ptr<Connection>> closed;
  {
    std::lock_guard lock(mutex_);
    for (const auto& [id, entry] : entries_) {
      if (entry->busy || entry->closing || now - entry->idle_since < longer_than) continue;
      entry->closing = true;
      closed.push_back(entry->connection);
    }
    counts_.reaped += closed.size();
  }
  for (const auto& connection : closed) connection->shutdown_read();
  return closed.size();
}

void ConnectionRegistry::begin_drain() {
  std::vector<std::shared_ptr<Connection>> idle;
  {
    std::lock_guard lock(mutex_);
    draining_ = true;
    for (const auto& [id, entry] : entries_) {
      if (entry->busy) continue;
      entry->closing = true;
      idle.push_back(entry->connection);
    }
  }
  for (const auto& connection : idle) connection->shutdown_read();
}

void ConnectionRegistry::wait_empty() {
  std::unique_lock lock(mutex_);
  empty_.wait(lock, [this] { return entries_.empty(); });
}

std::size_t ConnectionRegistry::size() const {
  std::lock_guard lock(mutex_);
  return entries_.size();
}

ConnectionRegistry::Stats ConnectionRegistry::stats() const {
  std::lock_guard lock(mutex_);
  Stats stats = counts_;
  stats.open = entries_.size();
  for (const auto& [id, entry] : entries_) stats.busy += entry->busy ? 1 : 0;
  return stats;
}

std::vector<ConnectionRegistry::ConnectionInfo> ConnectionRegistry::list() const {
  const Millis now = clock_.now();
  std::vector<ConnectionInfo> infos;
  std::lock_guard lock(mutex_);
  infos.reserve(entries_.size());
  for (const auto& [id, entry] : entries_) {
    const Millis idle_for = entry->busy ? 0 : std::max<Millis>(0, now - entry->idle_since);
    infos.push_back({id, entry->connection->peer(), entry->busy, entry->requests, idle_for});
  }
  return infos;
}

}  // namespace web
