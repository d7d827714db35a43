// Double-checked locking done right: an acquire load first, then a look again under the lock, a release
// store.
// Alarms: the fast path reads the object without a lock that its construction holds.
// Right: the fast path sees a pointer only with acquire, so the construction happened before.
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

struct Parser {
  int rules = 12;
};

std::atomic<Parser*> parser{nullptr};
std::unique_ptr<Parser> owner;
std::mutex mutex;
int rules[2];

Parser& get() {
  Parser* made = parser.load(std::memory_order_acquire);
  if (made != nullptr) return *made;
  std::lock_guard lock(mutex);
  made = parser.load(std::memory_order_relaxed);
  if (made == nullptr) {
    owner = std::make_unique<Parser>();
    made = owner.get();
    parser.store(made, std::memory_order_release);
  }
  return *made;
}

int main() {
  std::thread first([] { rules[0] = get().rules; });
  std::thread second([] { rules[1] = get().rules; });
  first.join();
  second.join();
  std::printf("%d %d\n", rules[0], rules[1]);
}
