// Four threads that work on one map under one mutex: look-ups, insertions, removals.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

constexpr int kThreads = 4;
constexpr uint32_t kKeys = 4096;

class Store {
 public:
  void put(uint32_t key, uint64_t value) {
    std::lock_guard guard(mutex_);
    ordered_[key] = value;
    hashed_[key] += value;
  }
  uint64_t get(uint32_t key) {
    std::lock_guard guard(mutex_);
    const auto found = ordered_.find(key);
    return found == ordered_.end() ? 0 : found->second;
  }
  void drop(uint32_t key) {
    std::lock_guard guard(mutex_);
    ordered_.erase(key);
  }
  uint64_t sum() {
    std::lock_guard guard(mutex_);
    uint64_t total = 0;
    for (const auto& [key, value] : hashed_) total += key ^ value;
    return total;
  }

 private:
  std::mutex mutex_;
  std::map<uint32_t, uint64_t> ordered_;
  std::unordered_map<uint32_t, uint64_t> hashed_;
};

void work(Store& store, uint32_t seed, int rounds) {
  uint32_t state = seed;
  for (int i = 0; i < rounds; ++i) {
    state = state * 1664525 + 1013904223;
    const uint32_t key = (state >> 8) % kKeys;
    switch (state >> 29) {
      case 0:
      case 1:
        store.put(key, state);
        break;
      case 2:
        store.drop(key);
        break;
      default:
        store.get(key);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 150000;
  Store store;
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&store, i, rounds] { work(store, i + 1, rounds); });
  for (std::thread& thread : threads) thread.join();
  std::printf("%d\n", store.sum() != 0);
}
