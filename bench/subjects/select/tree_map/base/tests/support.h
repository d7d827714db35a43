// What the tests share: threads that start together, and keys in several distributions.
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

enum class Distribution { kDense, kSparse, kClustered, kColliding };

inline std::string name_of(Distribution distribution) {
  switch (distribution) {
    case Distribution::kDense:
      return "Dense";
    case Distribution::kSparse:
      return "Sparse";
    case Distribution::kClustered:
      return "Clustered";
    case Distribution::kColliding:
      return "Colliding";
  }
  return "Unknown";
}

// The key with this number.
inline int key_of(Distribution distribution, int number) {
  switch (distribution) {
    case Distribution::kDense:
      return number;
    case Distribution::kSparse:
      return number * 7919;
    case Distribution::kClustered:
      return number / 8 * 1024 + number % 8;
    case Distribution::kColliding:
      return number << 20;
  }
  return number;
}
