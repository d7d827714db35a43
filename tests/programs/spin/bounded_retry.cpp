// expect: ok
// A thread polls a limited number of times and then gives up, legally. Nobody else runs then: a scheduler
// that waits for the flag to change before it lets the poller go on would report a deadlock that does not
// exist.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> answered = false;

bool poll(int attempts) {
  while (attempts-- > 0) {
    if (answered.load()) return true;
  }
  return false;
}

int main() {
  bool heard = false;
  std::thread poller([&] { heard = poll(100); });
  poller.join();
  assert(!heard);

  std::thread second_poller([&] { heard = poll(50); });
  std::thread answerer([] { answered.store(true); });
  second_poller.join();
  answerer.join();
  assert(poll(1));
}
