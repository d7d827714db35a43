// expect: assertion
// message: inside == 1
// A hand-made spin lock that tests first and sets afterwards lets two threads in.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> locked = false;
std::atomic<int> inside = 0;

void enter() {
  while (locked.load()) {
  }
  locked.store(true);
  inside.fetch_add(1);
  assert(inside == 1);
  inside.fetch_sub(1);
  locked.store(false);
}

int main() {
  std::thread first(enter);
  std::thread second(enter);
  first.join();
  second.join();
}
