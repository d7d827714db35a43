// Counts events in intervals of time, and trips when there are too many in one: a circuit breaker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>

namespace lang {

class EventCounter {
 public:
  using Ticks = std::int64_t;
  using Clock = std::function<Ticks()>;

  struct Limits {
    // Trips with more events than this in an interval,
    std::size_t opening = 10;
    // and recovers after an interval with fewer than this.
    std::size_t closing = 5;
    Ticks interval = 100;
  };

  EventCounter(Limits limits, Clock clock)
      : limits_(limits), clock_(std::move(clock)), interval_start_(clock_()) {}

  // Counts events. Returns whether work may go on.
  bool add(std::size_t events = 1);

  // Whether work may go on. Does not count.
  bool is_closed();

  // Trips or recovers by hand.
  void open();
  void close();

  // The events of this interval, and of all.
  std::size_t in_interval() const;
  std::size_t total() const;
  std::size_t trips() const;

 private:
  // Begins another interval if this one is over, and says if the breaker is closed then. Expects the lock to
  // be held.
  bool update(Ticks now, std::size_t events);

  const Limits limits_;
  const Clock clock_;
  mutable std::mutex mutex_;
  bool open_ = false;
  Ticks interval_start_;
  std::size_t in_interval_ = 0;
  std::size_t total_ = 0;
  std::size_t trips_ = 0;
};

}  // namespace lang
