// The machines that jobs run on, and the log of what happened to them.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace jobs {

// Lends machines to whoever has a job.
class Machines {
 public:
  explicit Machines(int count);

  // The number of a free machine, or -1.
  int borrow();
  void give_back(int machine, int seconds);

  std::size_t idle() const;
  int seconds() const;

 private:
  mutable std::mutex mutex_;
  std::vector<int> free_;
  int lent_ = 0;
  int seconds_ = 0;
};

enum class Event { start, progress, stop };

class EventLog {
 public:
  void add(Event event, int job);

  int count(Event event) const;

  // Whether one of the newest events is one of this job.
  bool mentions(int job) const;
  std::size_t size() const;

 private:
  struct Line {
    Event event = Event::start;
    int job = 0;
  };

  mutable std::mutex mutex_;
  std::array<int, 3> counts_{};
  std::array<Line, 4> newest_{};
  std::size_t size_ = 0;
};

}  // namespace jobs
