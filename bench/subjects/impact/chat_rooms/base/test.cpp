// Somebody comes in, somebody else says which room is the lobby, and the others talk meanwhile. All of them
// come and go, and some have to be silent for a while.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <thread>

#include "chat_rooms.h"
#include "presence.h"

namespace {

constexpr int kRounds = 7;

struct Chat {
  chat::ChatRooms rooms;
  chat::Presence presence;
  chat::Moderation moderation;
};

void be_there(Chat& chat, int member) {
  for (int round = 0; round < kRounds; ++round) {
    chat.presence.set(member, chat::Status::online);
    assert(chat.presence.online() >= 1);
    if (round % 2 == 1) chat.moderation.warn(member);
    assert(chat.moderation.mute(member));
    chat.presence.set(member, chat::Status::idle);
    assert(chat.moderation.is_muted(member));
    assert(chat.presence.status(member) == chat::Status::idle);
    assert(chat.moderation.unmute(member));
    chat.presence.set(member, chat::Status::away);
  }
  assert(chat.presence.changes() >= 3 * kRounds);
  assert(chat.moderation.warnings() >= kRounds / 2);
}

void come_in(Chat& chat, int member) {
  chat::Room doorstep("doorstep");
  doorstep.join(member);
  assert(doorstep.say("is anybody there?") == 1);
  chat::Room& lobby = chat.rooms.room(chat.rooms.lobby());
  assert(doorstep.leave(member));
  lobby.join(member);
  assert(lobby.say("hello") >= 1);
  be_there(chat, member);
}

void decide(Chat& chat, chat::RoomNumber hall) {
  chat.rooms.make_lobby(hall);
  assert(chat.rooms.room(hall).name() == "hall");
  be_there(chat, 4);
}

void talk(Chat& chat, chat::Room& room) {
  be_there(chat, 3);
  for (int member = 10; member < 12; ++member) {
    room.join(member);
    assert(room.say("news") >= 1);
    assert(room.leave(member));
  }
}

void watch(Chat& chat, const chat::Room& room) {
  const std::size_t messages = room.messages();
  assert(room.members() <= 1);
  be_there(chat, 2);
  assert(room.messages() >= messages);
  assert(room.members() <= 1);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<Chat>();
  Chat& chat = *owner;
  const chat::RoomNumber hall = chat.rooms.open("hall");
  const chat::RoomNumber news = chat.rooms.open("news");

  std::thread visitor([&] { come_in(chat, 1); });
  std::thread watcher([&] { watch(chat, chat.rooms.room(news)); });
  std::thread talker([&] { talk(chat, chat.rooms.room(news)); });
  be_there(chat, 5);
  std::thread host([&] { decide(chat, hall); });
  visitor.join();
  watcher.join();
  talker.join();
  host.join();

  assert(chat.rooms.lobby() == hall);
  assert(chat.rooms.size() <= 3);
  assert(chat.rooms.room(news).messages() == 2);
  assert(chat.presence.online() == 0);
  assert(chat.presence.changes() == 5 * 3 * kRounds);
}
