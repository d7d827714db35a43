// Politeness is measured on a clock of its own: time passes when all workers would only wait for it.
#pragma once

#include <atomic>
#include <cstdint>

namespace crawl {

using Millis = std::int64_t;

/// Never goes back. May be read and advanced by any thread.
class VirtualClock {
 public:
  Millis now() const { return now_.load(std::memory_order_acquire); }

  void advance_to(Millis time) {
    Millis seen = now_.load(std::memory_order_relaxed);
    while (seen < time && !now_.compare_exchange_weak(seen, time, std::memory_order_acq_rel)) {
    }
  }

 private:
  std::atomic<Millis> now_{0};
};

}  // namespace crawl
