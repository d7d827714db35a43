// expect: ok
// Each thread has its own thread_local; its destructor runs in that thread, before join returns.
#include <cassert>
#include <mutex>
#include <set>
#include <thread>

std::mutex mutex;
int total = 0;
std::set<std::thread::id> owners;

struct Tally {
  int count = 0;
  ~Tally() {
    std::lock_guard lock(mutex);
    total += count;
    owners.insert(std::this_thread::get_id());
  }
};
thread_local Tally tally;

void work(int items) {
  for (int i = 0; i < items; ++i) ++tally.count;
}

int main() {
  std::thread first(work, 3);
  std::thread second(work, 4);
  const auto first_id = first.get_id();
  const auto second_id = second.get_id();
  first.join();
  second.join();
  assert(total == 7);
  assert((owners == std::set{first_id, second_id}));
}
