// Compute without the lock on a copy, and install the result only if nothing has changed meanwhile; else
// again.
// Alarms: read in one critical section, write in another, and others write in between: a lost update.
// Right: the version is checked under the lock that covers the write, so a stale result is thrown away.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex mutex;
int version = 0;
int value = 1;

void update(int factor) {
  for (;;) {
    int seen = 0;
    int copy = 0;
    {
      std::lock_guard lock(mutex);
      seen = version;
      copy = value;
    }
    copy *= factor;
    std::lock_guard lock(mutex);
    if (version != seen) continue;
    value = copy;
    ++version;
    return;
  }
}

int main() {
  std::thread twice(update, 2);
  std::thread thrice(update, 3);
  twice.join();
  thrice.join();
  std::printf("%d after %d updates\n", value, version);
}
