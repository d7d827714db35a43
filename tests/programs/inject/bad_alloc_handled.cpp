// expect: ok
// inject: allocations:10
// executions: 300
// The same with a guard: whatever fails, what is in the list was counted.
#include <cassert>
#include <list>
#include <mutex>
#include <new>
#include <thread>

std::mutex mutex;
std::list<int> lines;
size_t appended = 0;

void work() {
  for (int i = 0; i < 3; ++i) {
    try {
      std::lock_guard lock(mutex);
      lines.push_back(i);
      ++appended;
    } catch (const std::bad_alloc&) {
    }
  }
}

int main() {
  try {
    std::thread other(work);
    work();
    other.join();
  } catch (const std::bad_alloc&) {  // the thread could not be started
  }
  assert(lines.size() == appended);
}
