// Progress: how far a command with many executions is, on one live line of a terminal, or as a plain line now
// and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle {

class Progress {
 public:
  explicit Progress(uint64_t total);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;

  void update(uint64_t done, size_t findings);
  // Before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  uint64_t total_;
  bool is_live_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

}  // namespace heddle
