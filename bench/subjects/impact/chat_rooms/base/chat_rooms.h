// Rooms in which people talk. One of them is the lobby, where those go who have not chosen a room.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace chat {

class Room {
 public:
  explicit Room(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }

  void join(int member);
  bool leave(int member);

  // Returns how many members a message reaches.
  std::size_t say(const std::string& message);

  std::size_t members() const;
  std::size_t messages() const;

 private:
  const std::string name_;
  mutable std::mutex mutex_;
  std::vector<int> members_;
  std::size_t messages_ = 0;
};

using RoomNumber = int;

class ChatRooms {
 public:
  RoomNumber open(const std::string& name);
  Room& room(RoomNumber number) const;

  // The lobby; a new room if nobody has said which one that is.
  RoomNumber lobby();
  void make_lobby(RoomNumber number);

  std::size_t size() const;

 private:
  static constexpr RoomNumber kNone = -1;

  // Expects the caller to hold mutex_.
  RoomNumber add(const std::string& name);

  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Room>> rooms_;
  RoomNumber lobby_ = kNone;
};

}  // namespace chat
