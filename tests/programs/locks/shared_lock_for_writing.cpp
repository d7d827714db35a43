// expect: assertion
// message: hits == 2
// The hit counter is bumped under the shared lock: two readers race.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int hits = 0;

void look_up() {
  std::shared_lock lock(mutex);
  hits = hits + 1;
}

int main() {
  std::thread first(look_up);
  std::thread second(look_up);
  first.join();
  second.join();
  std::unique_lock lock(mutex);
  assert(hits == 2);
}
