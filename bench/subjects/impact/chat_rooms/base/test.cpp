// Somebody comes in, somebody else says which room is the lobby, and the others talk meanwhile.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <thread>

#include "chat_rooms.h"

namespace {

void come_in(chat::ChatRooms& rooms, int member) {
  chat::Room& lobby = rooms.room(rooms.lobby());
  lobby.join(member);
  assert(lobby.say("hello") >= 1);
}

void decide(chat::ChatRooms& rooms, chat::RoomNumber hall) {
  rooms.make_lobby(hall);
  assert(rooms.room(hall).name() == "hall");
}

void talk(chat::Room& room) {
  for (int member = 10; member < 12; ++member) {
    room.join(member);
    assert(room.say("news") >= 1);
    assert(room.leave(member));
  }
}

void watch(const chat::Room& room) {
  const std::size_t messages = room.messages();
  assert(room.members() <= 1);
  assert(room.messages() >= messages);
  assert(room.members() <= 1);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<chat::ChatRooms>();
  chat::ChatRooms& rooms = *owner;
  const chat::RoomNumber hall = rooms.open("hall");
  const chat::RoomNumber news = rooms.open("news");

  std::thread watcher([&] { watch(rooms.room(news)); });
  std::thread visitor([&] { come_in(rooms, 1); });
  std::thread talker([&] { talk(rooms.room(news)); });
  std::thread host([&] { decide(rooms, hall); });
  watcher.join();
  visitor.join();
  host.join();
  talker.join();

  assert(rooms.lobby() == hall);
  assert(rooms.size() <= 3);
  assert(rooms.room(news).messages() == 2);
}
