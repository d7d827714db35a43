// Pace: how long a test's executions take, to tell one that hangs from one that the end of the budget cut
// short.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle {

class Pace {
 public:
  using Duration = std::chrono::steady_clock::duration;

  // An execution came to its end.
  void add(Duration ran) {
    total_ += ran;
    ++executions_;
  }

  // Whether one that did not is out of proportion: it had run for more than a second, which is long for a
  // test of this kind, and ten times longer than they take on average.
  bool seems_to_hang(Duration ran) const {
    return ran > std::chrono::seconds(1) && (executions_ == 0 || ran > 10 * (total_ / executions_));
  }

 private:
  Duration total_{};
  int64_t executions_ = 0;
};

}  // namespace heddle
