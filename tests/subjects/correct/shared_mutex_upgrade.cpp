// A cache that looks under a shared lock, lets go, locks exclusively and looks again before it fills.
// Alarms: what was seen under the shared lock may be outdated when the exclusive one is held.
// Right: the second look decides, and a value once filled in does not change.
#include <cstdio>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::map<int, int> cube_of;
int computed = 0;

int cube(int number) {
  {
    std::shared_lock lock(mutex);
    if (const auto found = cube_of.find(number); found != cube_of.end()) return found->second;
  }
  std::lock_guard lock(mutex);
  const auto [entry, added] = cube_of.try_emplace(number, 0);
  if (added) {
    ++computed;
    entry->second = number * number * number;
  }
  return entry->second;
}

int main() {
  int results[2];
  std::thread one([&] { results[0] = cube(3); });
  std::thread other([&] { results[1] = cube(3); });
  one.join();
  other.join();
  std::printf("%d %d, computed %d times\n", results[0], results[1], computed);
}
