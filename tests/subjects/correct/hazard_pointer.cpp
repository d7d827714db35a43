// A reader protects what it reads by a hazard pointer; the writer frees the old version only if nobody does.
// Alarms: readers hold no lock, and what decides about the `delete` is a pointer that is only compared.
// Right: the reader looks again after it has set the pointer, and clears it with release when it is done.
#include <atomic>
#include <cstdio>
#include <thread>

struct Version {
  int low;
  int high;
};

std::atomic<Version*> current{nullptr};
std::atomic<Version*> hazard{nullptr};
int width = 0;

void measure() {
  Version* seen = current.load();
  for (;;) {
    hazard.store(seen);
    Version* again = current.load();
    if (again == seen) break;
    seen = again;
  }
  width = seen->high - seen->low;
  hazard.store(nullptr, std::memory_order_release);
}

void replace(Version* fresh) {
  Version* old = current.exchange(fresh);
  while (hazard.load() == old) std::this_thread::yield();
  delete old;
}

int main() {
  current = new Version{1, 8};
  std::thread reader(measure);
  replace(new Version{11, 18});
  reader.join();
  delete current.load();
  std::printf("%d\n", width);
}
