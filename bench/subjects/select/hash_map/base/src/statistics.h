// What a map tells about its use: how often it was asked, how often it had an answer, how often it grew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace collections {

// One consistent picture of a map.
struct Statistics {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t resizes = 0;
  std::size_t entries = 0;
  std::size_t buckets = 0;

  double hit_rate() const;
  std::string to_string() const;
};

// Counts what happens to a map. It has a lock of its own, so that counting never waits for the map.
class UsageCounter {
 public:
  void count_lookup(bool hit);
  void count_resize();
  void reset();

  // Fills in the counters and leaves the rest of `statistics` as it is.
  void fill(Statistics& statistics) const;

 private:
  mutable std::mutex mutex_;
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
  std::uint64_t resizes_ = 0;
};

}  // namespace collections
