// expect: assertion
// message: *counter == 2
// preload: libjemalloc.so.2
// executions: 200
// addresses: matter
// jemalloc, which keeps caches per thread and locks of its own, in place of glibc's allocator. Threads
// allocate, hand over and free blocks of many sizes; the only one that they share carelessly is found.
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

extern "C" int mallctl(const char*, void*, size_t*, void*, size_t) __attribute__((weak));

std::mutex mutex;
std::vector<std::unique_ptr<char[]>> handed_over;

void churn() {
  for (size_t size = 1; size < 300'000; size = size * 9 + 1) {
    auto block = std::make_unique_for_overwrite<char[]>(size);
    block[size - 1] = 'x';
    void* grown = realloc(malloc(size), 2 * size);
    free(grown);
    const std::lock_guard lock(mutex);
    handed_over.push_back(std::move(block));
    if (handed_over.size() > 4) handed_over.erase(handed_over.begin());
  }
}

int main() {
  assert(&mallctl != nullptr);
  auto counter = std::make_unique<long>(0);
  auto work = [&] {
    *counter += 1;
    churn();
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(handed_over.size() == 4);
  assert(*counter == 2);
}
