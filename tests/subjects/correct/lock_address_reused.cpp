// Each thread makes a pair of locks of its own and takes them in its own order; the second pair may come to
// lie where the first one was.
// Alarms: a lock-order graph over addresses has a cycle, between locks that never existed together.
// Right: memory is given out again only after it was freed, and with it begin other locks.
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Pair {
  std::mutex first;
  std::mutex second;
  int uses = 0;
};

int results[2];

void use(int number) {
  const auto pair = std::make_unique<Pair>();
  const bool turned = number != 0;
  std::lock_guard outer(turned ? pair->second : pair->first);
  std::lock_guard inner(turned ? pair->first : pair->second);
  results[number] = ++pair->uses;
}

int main() {
  std::thread one(use, 0);
  std::thread other(use, 1);
  one.join();
  other.join();
  std::printf("%d\n", results[0] + results[1]);
}
