// A baton passed to and fro with atomic wait and notify; who has it changes the plain text.
// Alarms: waiting is inside the library and goes by a futex, and the text has no lock.
// Right: the baton's stores release, and wait() returns after an acquiring load of the new value.
#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> turn{0};
char text[5] = "....";

void play(int self, char letter) {
  for (int round = 0; round < 2; ++round) {
    for (int now = turn.load(std::memory_order_acquire); now % 2 != self;
         now = turn.load(std::memory_order_acquire))
      turn.wait(now, std::memory_order_acquire);
    const int now = turn.load(std::memory_order_relaxed);
    text[now] = letter;
    turn.store(now + 1, std::memory_order_release);
    turn.notify_all();
  }
}

int main() {
  std::thread ping(play, 0, 'i');
  std::thread pong(play, 1, 'o');
  ping.join();
  pong.join();
  std::printf("%s\n", text);
}
