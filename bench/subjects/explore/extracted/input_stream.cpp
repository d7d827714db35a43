// expect: deadlock
//
// Deadlock, after the opening of input streams in Mozilla's disk cache: opening a stream locks the entry and
// then the cache, evicting locks the cache and then the entry it has chosen. Only the least recently used
// entry is evicted, so the two meet only if it is the one that is being opened.
#include <array>
#include <cassert>
#include <mutex>
#include <thread>

#include "../subject.h"

namespace {

struct Entry {
  std::mutex mutex;
  int streams = 0;
  bool evicted = false;
};

class Cache {
 public:
  void open(size_t index) {
    Entry& entry = entries_[index];
    std::unique_lock cache_lock(mutex_, std::defer_lock);
    if (subject::fixed) cache_lock.lock();
    std::lock_guard lock(entry.mutex);
    if (entry.evicted) return;
    ++entry.streams;
    if (!subject::fixed) cache_lock.lock();
    oldest_ = 1 - index;
  }

  void evict_oldest() {
    std::lock_guard cache_lock(mutex_);
    Entry& entry = entries_[oldest_];
    std::lock_guard lock(entry.mutex);
    if (entry.streams == 0) entry.evicted = true;
  }

  int streams(size_t index) {
    std::lock_guard lock(entries_[index].mutex);
    return entries_[index].streams;
  }

 private:
  std::mutex mutex_;
  std::array<Entry, 2> entries_;
  size_t oldest_ = 1;
};

}  // namespace

int main(int argc, char** argv) {
  subject::read_arguments(argc, argv);
  Cache cache;
  std::thread page([&cache] {
    cache.open(0);
    cache.open(1);
  });
  std::thread cleaner([&cache] {
    if (cache.streams(0) + cache.streams(1) < 2) cache.evict_oldest();
  });
  page.join();
  cleaner.join();
  assert(cache.streams(0) == 1 && cache.streams(1) <= 1);
}
