// Progress: how far a command with many executions is, on one live line of a terminal, or as a plain line now
// and then elsewhere.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace heddle {

class Progress {
 public:
  Progress();
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;

  // Asks for the text only if it is time to show it.
  void update(const std::function<std::string()>& text);
  // Before something else is printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  bool is_live_;
  bool is_shown_ = false;
  Clock::time_point next_;
};

}  // namespace heddle
