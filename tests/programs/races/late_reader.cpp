// expect: race
// message: data race on 4 bytes
// detect: race
// executions: 50
// Of several readers the last one is ordered before the write, and another one is not.
#include <mutex>
#include <thread>

std::mutex mutex;
int value;
int seen[2];

int main() {
  std::thread first([] { seen[0] = value; });
  std::thread second([] {
    std::lock_guard guard(mutex);
    seen[1] = value;
  });
  second.join();
  value = 1;
  first.join();
}
