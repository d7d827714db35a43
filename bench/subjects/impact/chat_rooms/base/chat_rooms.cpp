#include "chat_rooms.h"

namespace chat {

void Room::join(int member) {
  const std::lock_guard lock(mutex_);
  members_.push_back(member);
}

bool Room::leave(int member) {
  const std::lock_guard lock(mutex_);
  return std::erase(members_, member) > 0;
}

std::size_t Room::say(const std::string& message) {
  const std::lock_guard lock(mutex_);
  if (!message.empty()) ++messages_;
  return members_.size();
}

std::size_t Room::members() const {
  const std::lock_guard lock(mutex_);
  return members_.size();
}

std::size_t Room::messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

RoomNumber ChatRooms::open(const std::string& name) {
  const std::lock_guard lock(mutex_);
  return add(name);
}

Room& ChatRooms::room(RoomNumber number) const {
  const std::lock_guard lock(mutex_);
  return *rooms_.at(static_cast<std::size_t>(number));
}

RoomNumber ChatRooms::lobby() {
  const std::lock_guard lock(mutex_);
  if (lobby_ == kNone) lobby_ = add("lobby");
  return lobby_;
}

void ChatRooms::make_lobby(RoomNumber number) {
  const std::lock_guard lock(mutex_);
  lobby_ = number;
}

std::size_t ChatRooms::size() const {
  const std::lock_guard lock(mutex_);
  return rooms_.size();
}

RoomNumber ChatRooms::add(const std::string& name) {
  rooms_.push_back(std::make_unique<Room>(name));
  return static_cast<RoomNumber>(rooms_.size()) - 1;
}

}  // namespace chat
