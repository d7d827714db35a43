// The addresses still to visit: by host, so that no host is asked too often, and by priority within a host.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "clock.h"
#include "url.h"

namespace crawl {

struct Task {
  Url url;
  int depth = 0;
  int priority = 0;  // higher is earlier
  int attempts = 0;
  int redirects = 0;
};

struct FrontierConfig {
  Millis delay = 0;              // between two requests to one host, counted from their begin
  std::size_t max_per_host = 2;  // requests to one host at the same time
};

class Frontier {
 public:
  struct Stats {
    std::size_t queued = 0;
    std::size_t in_flight = 0;
    std::size_t hosts = 0;
    std::uint64_t pushed = 0;
    std::uint64_t popped = 0;
  };

  Frontier(VirtualClock& clock, FrontierConfig config) : clock_(clock), config_(config) {}

  /// False once the frontier is closed.
  bool push(Task task);
  /// Waits for a task whose host may be asked now. Nothing when all is done (nothing queued, nobody at work)
  /// or the frontier is closed. Each task that was popped is given back with `done`.
  std::optional<Task> pop();
  void done(const Task& task);

  /// What robots.txt asks of us; the larger delay counts.
  void set_delay(const std::string& authority, Millis delay);
  /// Not before `time`, e.g. after an error.
  void hold_back(const std::string& authority, Millis time);

  /// Returns when no task is at work; none is handed out until `resume`.
  void pause();
  void resume();
  /// Wakes everybody; nothing is handed out any more.
  void close();

  Stats stats() const;
  bool closed() const;
  /// The tasks that are queued, in the order of hosts and priorities.
  std::vector<Task> snapshot() const;

 private:
  struct Host {
    std::map<int, std::deque<Task>, std::greater<>> tasks;  // by priority
    Millis next_time = 0;
    Millis delay = 0;
    std::size_t in_flight = 0;
  };

  Host* next_host();
  Task take(Host& host, Millis now);

  VirtualClock& clock_;
  const FrontierConfig config_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Host> hosts_;
  std::size_t queued_ = 0;
  std::size_t in_flight_ = 0;
  std::uint64_t pushed_ = 0;
  std::uint64_t popped_ = 0;
  int pauses_ = 0;
  bool closed_ = false;
};

}  // namespace crawl
