// expect: deadlock
// The initialiser of a static needs the static itself, but only if the cache is still empty: libstdc++ makes
// it wait for itself. (The C++ standard leaves this undefined.)
#include <atomic>
#include <thread>

std::atomic<int> cache = 0;

int expensive_value();

int compute() {
  return cache.load() != 0 ? cache.load() : expensive_value();
}

int expensive_value() {
  static const int value = compute();
  return value;
}

int main() {
  std::thread filler([] { cache.store(5); });
  std::thread user([] { expensive_value(); });
  filler.join();
  user.join();
}
