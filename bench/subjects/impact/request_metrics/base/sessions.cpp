#include "sessions.h"

namespace metrics {

int Sessions::begin(int user) {
  const std::lock_guard lock(mutex_);
  sessions_.push_back({.number = next_number_, .user = user});
  return next_number_++;
}

bool Sessions::touch(int session) {
  const std::lock_guard lock(mutex_);
  for (Session& known : sessions_) {
    if (known.number != session) continue;
    ++known.touched;
    return true;
  }
  return false;
}

bool Sessions::end(int session) {
  const std::lock_guard lock(mutex_);
  if (std::erase_if(sessions_, [&](const Session& known) { return known.number == session; }) == 0)
    return false;
  ++ended_;
  return true;
}

std::size_t Sessions::of_user(int user) const {
  const std::lock_guard lock(mutex_);
  std::size_t sessions = 0;
  for (const Session& session : sessions_) sessions += session.user == user ? 1 : 0;
  return sessions;
}

int Sessions::ended() const {
  const std::lock_guard lock(mutex_);
  return ended_;
}

bool Limits::use(int user) {
  const std::lock_guard lock(mutex_);
  int& left = left_.at(static_cast<std::size_t>(user));
  if (left == 0) return false;
  --left;
  return true;
}

void Limits::grant(int user, int requests) {
  const std::lock_guard lock(mutex_);
  left_.at(static_cast<std::size_t>(user)) += requests;
  granted_ += requests;
}

int Limits::left(int user) const {
  const std::lock_guard lock(mutex_);
  return left_.at(static_cast<std::size_t>(user));
}

int Limits::granted() const {
  const std::lock_guard lock(mutex_);
  return granted_;
}

}  // namespace metrics
