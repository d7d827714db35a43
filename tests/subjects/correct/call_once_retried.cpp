// The first attempt of a call_once throws; the next caller tries again and succeeds.
// Alarms: two different threads write the table, and none of them holds a lock.
// Right: an exceptional call has ended before the next one begins.
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <thread>

std::once_flag flag;
int attempts = 0;
int table = 0;

void load() {
  if (++attempts == 1) throw std::runtime_error("not there yet");
  table = 40 + attempts;
}

void use() {
  for (;;) {
    try {
      std::call_once(flag, load);
      break;
    } catch (const std::runtime_error&) {
    }
  }
}

int main() {
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
  std::printf("%d\n", table);
}
