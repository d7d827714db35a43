// expect: ok
// A recursive mutex nests, and is free for others only after the last unlock.
#include <cassert>
#include <mutex>
#include <thread>

std::recursive_mutex mutex;
int depth = 0;

int descend(int levels) {
  std::lock_guard lock(mutex);
  assert(depth >= 0);
  ++depth;
  const int below = levels > 1 ? descend(levels - 1) : 0;
  --depth;
  return below + 1;
}

int main() {
  std::thread other([] { assert(descend(3) == 3); });
  {
    std::lock_guard lock(mutex);
    assert(depth == 0);
    assert(descend(2) == 2);
    assert(depth == 0);
  }
  if (mutex.try_lock()) {
    assert(depth == 0);
    mutex.unlock();
  }
  other.join();
}
