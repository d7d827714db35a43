// Two threads that count under a lock, for tests of what is learned of one build and used for another:
// statement_version.cpp makes the difference.
#include <mutex>
#include <thread>

int version();

std::mutex mutex;
int count;
int total;

void add(int number) {
  const std::lock_guard<std::mutex> guard(mutex);
  count += number;
}

int main() {
  std::thread other([] {
    add(1);
    total++;
  });
  add(2);
  total++;
  other.join();
  return version() == 0 || total > 2 ? 1 : 0;
}
