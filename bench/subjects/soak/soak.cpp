// A little of everything that an execution could leave behind: threads, one of them detached, heap blocks
// that are never freed, a pipe that is never closed, output, and, in some schedules, a failed assertion.
#include <unistd.h>

#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Queue {
  std::mutex mutex;
  std::condition_variable filled;
  std::deque<std::unique_ptr<int>> items;

  void put(int value) {
    std::lock_guard lock(mutex);
    items.push_back(std::make_unique<int>(value));
    filled.notify_all();
  }
  int take() {
    std::unique_lock lock(mutex);
    if (items.empty()) filled.wait(lock);
    assert(!items.empty());  // fails if the other consumer was faster
    const int value = *items.front();
    items.pop_front();
    return value;
  }
};

}  // namespace

int main() {
  auto* queue = new Queue;
  int ends[2];
  if (pipe(ends) != 0) return 2;
  std::thread producer([&] {
    queue->put(1);
    queue->put(2);
  });
  std::thread consumer([&] {
    const int value = queue->take();
    if (write(ends[1], &value, sizeof value) != sizeof value) _exit(2);
  });
  std::thread([] {}).detach();
  const int mine = queue->take();
  int other = 0;
  if (read(ends[0], &other, sizeof other) != sizeof other) return 2;
  std::printf("%d\n", mine + other);
  producer.join();
  consumer.join();
}
