// expect: deadlock
// inject: allocations:20
// When push_back throws, the lock stays taken and the other thread waits for ever.
#include <mutex>
#include <new>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> log_lines;

void append(int line) {
  mutex.lock();
  log_lines.push_back(line);
  mutex.unlock();
}

int main() {
  auto work = [] {
    try {
      for (int i = 0; i < 3; ++i) append(i);
    } catch (const std::bad_alloc&) {
    }
  };
  try {
    std::thread other(work);
    work();
    other.join();
  } catch (const std::bad_alloc&) {  // the thread could not be started
  }
}
