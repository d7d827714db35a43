// What the programs with allocators of their own do: threads allocate, hand over and free blocks of many
// sizes. The only memory that they share carelessly is a counter.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

inline std::mutex mutex;
inline std::vector<std::unique_ptr<char[]>> handed_over;

inline void churn() {
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

inline void churn_in_two_threads() {
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
