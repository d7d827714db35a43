#include "presence.h"

#include <algorithm>

namespace chat {

void Presence::set(int member, Status status) {
  const std::lock_guard lock(mutex_);
  Status& of_member = statuses_.at(static_cast<std::size_t>(member));
  if (of_member == status) return;
  of_member = status;
  ++changes_;
}

Status Presence::status(int member) const {
  const std::lock_guard lock(mutex_);
  return statuses_.at(static_cast<std::size_t>(member));
}

std::size_t Presence::online() const {
  const std::lock_guard lock(mutex_);
  std::size_t online = 0;
  for (const Status status : statuses_) online += status == Status::online ? 1 : 0;
  return online;
}

int Presence::changes() const {
  const std::lock_guard lock(mutex_);
  return changes_;
}

void Moderation::warn(int member) {
  const std::lock_guard lock(mutex_);
  ++warnings_;
  last_warned_ = member;
}

bool Moderation::mute(int member) {
  const std::lock_guard lock(mutex_);
  if (std::find(muted_.begin(), muted_.end(), member) != muted_.end()) return false;
  if (last_warned_ != member) ++warnings_;
  muted_.push_back(member);
  return true;
}

bool Moderation::unmute(int member) {
  const std::lock_guard lock(mutex_);
  return std::erase(muted_, member) > 0;
}

bool Moderation::is_muted(int member) const {
  const std::lock_guard lock(mutex_);
  return std::find(muted_.begin(), muted_.end(), member) != muted_.end();
}

int Moderation::warnings() const {
  const std::lock_guard lock(mutex_);
  return warnings_;
}

}  // namespace chat
