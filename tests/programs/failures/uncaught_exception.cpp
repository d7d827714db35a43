// expect: exception
// message: empty queue
// A worker throws if it comes first; nobody in that thread catches it.
#include <atomic>
#include <stdexcept>
#include <thread>

std::atomic<int> queued = 0;

int main() {
  std::thread worker([] {
    if (queued.load() == 0) throw std::runtime_error("empty queue");
    queued.fetch_sub(1);
  });
  queued.fetch_add(1);
  worker.join();
}
