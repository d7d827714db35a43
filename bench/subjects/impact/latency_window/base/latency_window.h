// Response times, summed up until somebody takes the sums away and a new window begins.
#pragma once

#include <cstdint>
#include <mutex>

namespace latency {

using Microseconds = std::int64_t;

struct Window {
  std::int64_t samples = 0;
  Microseconds total = 0;
  Microseconds longest = 0;

  // 0 for a window without samples.
  Microseconds mean() const;
  Window& operator+=(const Window& other);
};

class LatencyWindow {
 public:
  void add(Microseconds time);

  // Adds what another process has measured.
  void add(const Window& window);

  Window current() const;

  // Whether the mean of this window is above a threshold.
  bool slow(Microseconds threshold) const;

  // Ends the window and begins a new one.
  Window rotate();

  // How many windows have ended.
  int windows() const;

 private:
  mutable std::mutex mutex_;
  Window current_;
  int windows_ = 0;
};

}  // namespace latency
