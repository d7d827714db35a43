// A cache keeps weak pointers; a reader locks one while the owner lets the object go.
// Alarms: the object may be destroyed by either thread, right after the other has used it.
// Right: lock() yields either an owner, which keeps the object alive, or nothing.
#include <cstdio>
#include <memory>
#include <thread>

struct Entry {
  int value = 5;
  ~Entry() { value = -1; }
};

int seen = 0;

void look(std::weak_ptr<Entry> cached) {
  const std::shared_ptr<Entry> entry = cached.lock();
  seen = entry ? entry->value : 5;
}

int main() {
  auto owner = std::make_shared<Entry>();
  std::thread reader(look, std::weak_ptr<Entry>(owner));
  owner.reset();
  reader.join();
  std::printf("%d\n", seen);
}
