// What the tests share: threads that start together, and numbers that look random.
#pragma once

#include <cstdint>
#include <functional>
#include <latch>
#include <string>
#include <thread>
#include <vector>

// Runs `body(index)` in so many threads, which begin together, and waits for all of them.
inline void run_threads(int threads, const std::function<void(int)>& body) {
  std::latch start(threads);
  std::vector<std::thread> all;
  for (int index = 0; index < threads; ++index) {
    all.emplace_back([&start, &body, index] {
      start.arrive_and_wait();
      body(index);
    });
  }
  for (auto& thread : all) thread.join();
}

// A small generator whose numbers are the same everywhere, unlike those of the standard distributions.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435761U + 1) {}

  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }

  int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }

 private:
  std::uint64_t state_;
};
