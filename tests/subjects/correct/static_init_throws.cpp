// A static variable of a function whose first construction throws; the next caller constructs it.
// Alarms: both threads write what the constructor counts, and none holds a lock.
// Right: construction is abandoned before the next one begins, and the guard orders the two.
#include <cstdio>
#include <stdexcept>
#include <thread>

int attempts = 0;

struct Driver {
  Driver() {
    if (++attempts == 1) throw std::runtime_error("the device is busy");
    version = attempts;
  }
  int version = 0;
};

const Driver& driver() {
  static const Driver only;
  return only;
}

int versions[2];

void use(int user) {
  for (;;) {
    try {
      versions[user] = driver().version;
      return;
    } catch (const std::runtime_error&) {
    }
  }
}

int main() {
  std::thread first(use, 0);
  std::thread second(use, 1);
  first.join();
  second.join();
  std::printf("%d %d\n", versions[0], versions[1]);
}
