#include "cpu_clock.h"

#include <chrono>

#include "support/cpu_time.h"

namespace heddle::bench {

generate::TimeBudget::Clock cpu_clock() {
  using Wall = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kInterval{10};
  return [read = cpu_time_with_children(), at = Wall::now()]() mutable {
    if (const Wall::time_point now = Wall::now(); now - at >= kInterval) {
      read = cpu_time_with_children();
      at = now;
    }
    return read;
  };
}

}  // namespace heddle::bench
