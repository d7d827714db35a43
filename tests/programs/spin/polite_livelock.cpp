// expect: livelock
// Each of two threads that sees that the other one wants to go as well lets it go first. If both see it, each
// says "after you" and yields, for ever.
#include <atomic>
#include <thread>

std::atomic<bool> wants[2] = {false, false};
std::atomic<bool> done[2] = {false, false};
std::atomic<int> offers[2] = {0, 0};

void pass(int me) {
  const int other = 1 - me;
  wants[me].store(true);
  if (wants[other].load()) {
    while (!done[other].load()) {
      offers[other].fetch_add(1);
      std::this_thread::yield();
    }
  }
  done[me].store(true);
}

int main() {
  std::thread first(pass, 0);
  std::thread second(pass, 1);
  first.join();
  second.join();
}
