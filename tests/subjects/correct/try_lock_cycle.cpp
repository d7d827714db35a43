// One thread locks a then b; the other locks b and only tries a, and lets go of b if that fails.
// Alarms: the lock-order graph has a cycle if a successful try_lock counts as waiting.
// Right: nobody waits in try_lock, so one of the two always gets on.
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex a;
std::mutex b;
int done = 0;

void patient() {
  std::lock_guard outer(a);
  std::lock_guard inner(b);
  done += 1;
}

void polite() {
  for (;;) {
    std::lock_guard outer(b);
    std::unique_lock inner(a, std::try_to_lock);
    if (!inner) continue;
    done += 10;
    return;
  }
}

int main() {
  std::thread one(patient);
  std::thread other(polite);
  one.join();
  other.join();
  std::printf("%d\n", done);
}
