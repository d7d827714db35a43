// Readers wait under a shared lock, with condition_variable_any, until the writer has raised the version.
// Alarms: the wait unlocks and locks a shared mutex, and uses another mutex inside.
// Right: what is read is read under the shared lock, held again when the wait returns.
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
std::condition_variable_any raised;
int version = 0;
int content = 0;
int seen[2];

void follow(int reader) {
  std::shared_lock lock(mutex);
  raised.wait(lock, [] { return version == 1; });
  seen[reader] = content;
}

int main() {
  std::thread first(follow, 0);
  std::thread second(follow, 1);
  {
    std::lock_guard lock(mutex);
    content = 8;
    version = 1;
  }
  raised.notify_all();
  first.join();
  second.join();
  std::printf("%d %d\n", seen[0], seen[1]);
}
