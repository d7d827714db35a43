// expect: ok
// Plain data of every size published through a mutex, and read only when it is there.
#include <cassert>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <thread>

struct __attribute__((packed)) Record {
  uint8_t a;
  uint16_t b;
  uint32_t c;
  uint64_t d;
  char text[40];
};

int main() {
  std::mutex mutex;
  bool ready = false;
  Record record = {};
  std::thread writer([&] {
    std::lock_guard lock(mutex);
    record = Record{1, 2, 3, 4, {}};
    std::memset(record.text, 'z', sizeof record.text);
    ready = true;
  });
  {
    std::lock_guard lock(mutex);
    if (ready) {
      Record copy = record;
      assert(copy.a == 1 && copy.b == 2 && copy.c == 3 && copy.d == 4 && copy.text[39] == 'z');
    }
  }
  writer.join();
}
