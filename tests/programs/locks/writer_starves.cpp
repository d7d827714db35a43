// expect: exit-code
// A hand-made read-write lock that prefers readers: overlapping readers keep the writer out until it gives
// up.
#include <mutex>
#include <thread>

std::mutex mutex;
int readers = 0;
bool wrote = false;

void read_twice() {
  for (int i = 0; i < 2; ++i) {
    {
      std::lock_guard lock(mutex);
      ++readers;
    }
    std::this_thread::yield();
    std::lock_guard lock(mutex);
    --readers;
  }
}

void write_with_patience(int attempts) {
  while (!wrote && attempts-- > 0) {
    std::lock_guard lock(mutex);
    wrote = readers == 0;
  }
}

int main() {
  std::thread first(read_twice);
  std::thread second(read_twice);
  std::thread writer(write_with_patience, 3);
  first.join();
  second.join();
  writer.join();
  return wrote ? 0 : 4;
}
