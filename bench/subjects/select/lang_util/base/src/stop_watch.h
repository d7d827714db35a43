// Measures time. One thread may start and stop it while others look at it.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace lang {

class StopWatch {
 public:
  using Ticks = std::int64_t;
  using Clock = std::function<Ticks()>;

  // `clock` returns the time now; it never goes backwards.
  explicit StopWatch(Clock clock) : clock_(std::move(clock)) {}

  // Each throws std::logic_error unless the watch is in the right state: start when it is new or stopped,
  // stop and suspend and split when it runs, resume when it is suspended.
  void start();
  void stop();
  void suspend();
  void resume();

  // Remembers the time that has passed until now, and returns it.
  Ticks split();

  void reset();

  // The time that has passed while the watch was running.
  Ticks elapsed() const;
  bool is_running() const;
  std::vector<Ticks> splits() const;

  // The time as hours, minutes and seconds, with a tick of one millisecond: "0:01:30.250".
  std::string to_string() const;

 private:
  enum class State { kNew, kRunning, kSuspended, kStopped };

  void require(State state, const char* action) const;
  Ticks elapsed_locked() const;

  const Clock clock_;
  mutable std::mutex mutex_;
  State state_ = State::kNew;
  Ticks started_ = 0;
  Ticks before_ = 0;
  std::vector<Ticks> splits_;
};

}  // namespace lang
