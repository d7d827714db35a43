#include "session_store.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace web {

std::optional<std::string> Session::get(std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

void Session::set(std::string_view name, std::string value) {
  std::lock_guard lock(mutex_);
  values_.insert_or_assign(std::string(name), std::move(value));
}

bool Session::erase(std::string_view name) {
  std::lock_guard lock(mutex_);
  const auto found = values_.find(name);
  if (found == values_.end()) return false;
  values_.erase(found);
  return true;
}

std::int64_t Session::add(std::string_view name, std::int64_t amount) {
  std::lock_guard lock(mutex_);
  std::string& value = values_[std::string(name)];
  const std::int64_t sum = std::strtoll(value.c_str(), nullptr, 10) + amount;
  value = std::to_string(sum);
  return sum;
}

std::map<std::string, std::string, std::less<>> Session::values() const {
  std::lock_guard lock(mutex_);
  return values_;
}

/// Two steps of splitmix64: enough for a demonstration, not for the open internet. Needs the lock.
std::string SessionStore::new_id() {
  std::string id;
  for (int part = 0; part < 2; ++part) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    z ^= z >> 31;
    char digits[20];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(z));
    id += digits;
  }
  return id;
}

bool SessionStore::expired(const Session& session, Millis now) const {
  return now - session.last_seen_ >= time_to_live_;
}

std::pair<std::string, SessionStore::SessionPtr> SessionStore::create() {
  const Millis now = clock_.now();
  std::lock_guard lock(mutex_);
  std::string id = new_id();
  auto session = std::make_shared<Session>(id, now);
  sessions_.emplace(id, session);
  ++created_;
  return {std::move(id), std::move(session)};
}

SessionStore::SessionPtr SessionStore::find(const std::string& id) {
  const Millis now = clock_.now();
  SessionPtr session;
  {
    // Only the lookup needs the lock: the session cannot go away while we hold a pointer to it.
    std::lock_guard lock(mutex_);
    const auto found = sessions_.find(id);
    if (found == sessions_.end()) return nullptr;
    if (expired(*found->second, now)) {
      sessions_.erase(found);
      ++expired_;
      return nullptr;
    }
    session = found->second;
    ++session->finds_;
  }
  session->last_seen_ = now;
  return session;
}

bool SessionStore::destroy(const std::string& id) {
  std::lock_guard lock(mutex_);
  const bool known = sessions_.erase(id) > 0;
  if (known) ++destroyed_;
  return known;
}

std::optional<std::string> SessionStore::rotate(const std::string& id) {
  std::lock_guard lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return std::nullopt;
  SessionPtr session = std::move(found->second);
  sessions_.erase(found);
  std::string fresh = new_id();
  sessions_.emplace(fresh, std::move(session));
  return fresh;
}

std::size_t SessionStore::sweep() {
  const Millis now = clock_.now();
  std::lock_guard lock(mutex_);
  const std::size_t count =
      std::erase_if(sessions_, [&](const auto& entry) { return expired(*entry.second, now); });
  expired_ += count;
  return count;
}

std::size_t SessionStore::size() const {
  std::lock_guard lock(mutex_);
  return sessions_.size();
}

SessionStore::Stats SessionStore::stats() const {
  const Millis now = clock_.now();
  std::lock_guard lock(mutex_);
  Stats stats;
  stats.live = sessions_.size();
  stats.created = created_;
  stats.expired = expired_;
  stats.destroyed = destroyed_;
  for (const auto& [id, session] : sessions_) {
    stats.finds += session->finds_;
    stats.longest_idle = std::max(stats.longest_idle, now - session->last_seen_);
  }
  return stats;
}

std::vector<std::string> SessionStore::ids() const {
  std::vector<std::string> ids;
  std::lock_guard lock(mutex_);
  ids.reserve(sessions_.size());
  for (const auto& [id, session] : sessions_) ids.push_back(id);
  return ids;
}

}  // namespace web
