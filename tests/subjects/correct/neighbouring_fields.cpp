// Fields that share a machine word, each written by its own thread: bytes, shorts, and bit fields that a
// field of width zero separates.
// Alarms: tools that see only words find four threads writing one of them.
// Right: these are different memory locations, which C++ lets threads write at the same time.
#include <cstdio>
#include <thread>

struct Status {
  char kind = 0;
  char level = 0;
  unsigned low : 4 = 0;
  unsigned : 0;
  unsigned high : 4 = 0;
  short count = 0;
};

Status status;

int main() {
  std::thread first([] { status.kind = 'k'; });
  std::thread second([] { status.level = 'l'; });
  std::thread third([] { status.low = 3; });
  std::thread fourth([] { status.high = 12; });
  status.count = 77;
  first.join();
  second.join();
  third.join();
  fourth.join();
  std::printf("%c %c %u %u %d\n", status.kind, status.level, +status.low, +status.high, status.count);
}
