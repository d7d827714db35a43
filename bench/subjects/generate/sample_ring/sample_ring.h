// SampleRing: the latest samples, and how many had to make room for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace telemetry {

// Thread-safe: any number of threads put samples into it and take them out.
class SampleRing {
 public:
  static constexpr size_t kLeast = 4;
  static constexpr size_t kMost = 4096;

  // What is beyond the limits is taken for the limit.
  explicit SampleRing(size_t capacity = kLeast);
  SampleRing(const SampleRing&) = delete;
  SampleRing& operator=(const SampleRing&) = delete;

  // If it is full, the oldest sample goes.
  void push(int sample);
  // The oldest one.
  std::optional<int> pop();
  void clear();

  std::optional<int> oldest() const;
  std::optional<int> latest() const;
  // From the oldest one on.
  std::optional<int> at(size_t position) const;
  std::vector<int> to_vector() const;

  size_t size() const;
  bool empty() const { return size() == 0; }
  bool full() const;
  size_t capacity() const { return samples_.size(); }
  uint64_t lost() const;

 private:
  void store(int sample);
  int read(size_t position) const { return samples_[(first_ + position) % samples_.size()]; }

  mutable std::mutex mutex_;
  std::vector<int> samples_;
  size_t first_ = 0;
  size_t count_ = 0;
  uint64_t lost_ = 0;
};

}  // namespace telemetry
