// TimeBudget: how much time has gone by since it was made, and whether there is any left.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <utility>

namespace heddle::generate {

class TimeBudget {
 public:
  using Duration = std::chrono::duration<double>;
  // Only differences count.
  using Clock = std::function<Duration()>;

  // Without end.
  TimeBudget() : TimeBudget(Duration(std::numeric_limits<double>::infinity())) {}
  explicit TimeBudget(Duration budget, Clock clock = wall_clock)
      : budget_(budget), clock_(std::move(clock)), began_(clock_()) {}

  double seconds() const { return (clock_() - began_).count(); }
  bool is_over() const { return seconds() >= budget_.count(); }

  static Duration wall_clock() { return std::chrono::steady_clock::now().time_since_epoch(); }

 private:
  Duration budget_;
  Clock clock_;
  Duration began_;
};

}  // namespace heddle::generate
