// LatencyMeter: how long requests take.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace metrics {

// Thread-safe and without locks, so it can be called wherever time matters.
class LatencyMeter {
 public:
  LatencyMeter() = default;
  LatencyMeter(const LatencyMeter&) = delete;
  LatencyMeter& operator=(const LatencyMeter&) = delete;

  void record(uint32_t microseconds);
  void record_failure();
  // All that the other one has recorded.
  void merge(const LatencyMeter& other);
  void reset();

  uint64_t count() const { return count_.load(); }
  uint64_t total() const { return total_.load(); }
  uint64_t failures() const { return failures_.load(); }
  uint32_t longest() const { return longest_.load(); }
  // 0 if there is none.
  double mean() const;
  // How many, and how long together.
  std::pair<uint64_t, uint64_t> summary() const;
  // Of all requests, those that failed included.
  double failure_rate() const;

 private:
  void raise_longest(uint32_t microseconds);

  std::atomic<uint64_t> count_{0};
  std::atomic<uint64_t> total_{0};
  std::atomic<uint64_t> failures_{0};
  std::atomic<uint32_t> longest_{0};
};

}  // namespace metrics
