// Threads for tests: each works on its own results, nothing but the start and the end synchronises them.
#pragma once

#include <latch>
#include <string>
#include <thread>
#include <vector>

namespace web {

/// Calls work(0) to work(count - 1), each in a thread of its own that begins when all are there.
template <typename Work>
void run_threads(int count, const Work& work) {
  std::latch start(count);
  std::vector<std::thread> threads;
  threads.reserve(count);
  for (int index = 0; index < count; ++index) {
    threads.emplace_back([&start, &work, index] {
      start.arrive_and_wait();
      work(index);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Two operations, of which even and odd threads do one each.
template <typename Operation>
struct Pair {
  Operation even;
  Operation odd;
  int threads;

  Operation of(int thread) const { return thread % 2 == 0 ? even : odd; }
};

/// All unordered pairs of the first `count` operations, also of each with itself, for each number of threads.
template <typename Operation>
std::vector<Pair<Operation>> all_pairs(int count, const std::vector<int>& threads) {
  std::vector<Pair<Operation>> pairs;
  for (int even = 0; even < count; ++even) {
    for (int odd = even; odd < count; ++odd) {
      for (const int number : threads) {
        pairs.push_back({static_cast<Operation>(even), static_cast<Operation>(odd), number});
      }
    }
  }
  return pairs;
}

/// A name for a parameterised case, e.g. GetPut4.
template <typename Operation>
std::string pair_name(const char* const* names, const Pair<Operation>& pair) {
  return std::string(names[static_cast<int>(pair.even)]) + names[static_cast<int>(pair.odd)] +
         std::to_string(pair.threads);
}

}  // namespace web
