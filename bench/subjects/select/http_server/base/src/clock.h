// Where the server gets its time from: the steady clock in production, a clock set by hand in tests.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace web {

/// Milliseconds since an arbitrary but fixed start.
using Millis = std::int64_t;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Millis now() const = 0;
};

class SteadyClock : public Clock {
 public:
  Millis now() const override {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  }
};

/// Stands still until it is told to go on. May be read and advanced by any thread.
class ManualClock : public Clock {
 public:
  explicit ManualClock(Millis start = 0) : now_(start) {}
  Millis now() const override { return now_.load(); }
  void advance(Millis by) { now_.fetch_add(by); }

 private:
  std::atomic<Millis> now_;
};

}  // namespace web
