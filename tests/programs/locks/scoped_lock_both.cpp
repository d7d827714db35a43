// expect: ok
// std::scoped_lock backs off by try_lock: opposite orders are harmless.
#include <cassert>
#include <mutex>
#include <thread>

int main() {
  std::mutex left;
  std::mutex right;
  int moved = 0;
  std::thread other([&] {
    for (int i = 0; i < 2; ++i) {
      std::scoped_lock lock(left, right);
      ++moved;
    }
  });
  for (int i = 0; i < 2; ++i) {
    std::scoped_lock lock(right, left);
    ++moved;
  }
  other.join();
  assert(moved == 4);
}
