#include "event_counter.h"

namespace lang {

bool EventCounter::update(Ticks now, std::size_t events) {
  if (now - interval_start_ >= limits_.interval) {
    if (open_ && in_interval_ < limits_.closing) open_ = false;
    interval_start_ = now;
    in_interval_ = 0;
  }
  in_interval_ += events;
  total_ += events;
  if (!open_ && in_interval_ > limits_.opening) {
    open_ = true;
    ++trips_;
  }
  return !open_;
}

bool EventCounter::add(std::size_t events) {
  const Ticks now = clock_();
  const std::lock_guard lock(mutex_);
  return update(now, events);
}

bool EventCounter::is_closed() {
  const Ticks now = clock_();
  const std::lock_guard lock(mutex_);
  return update(now, 0);
}

void EventCounter::open() {
  const std::lock_guard lock(mutex_);
  if (!open_) ++trips_;
  open_ = true;
}

void EventCounter::close() {
  const std::lock_guard lock(mutex_);
  open_ = false;
  interval_start_ = clock_();
  in_interval_ = 0;
}

std::size_t EventCounter::in_interval() const {
  const std::lock_guard lock(mutex_);
  return in_interval_;
}

std::size_t EventCounter::total() const {
  const std::lock_guard lock(mutex_);
  return total_;
}

std::size_t EventCounter::trips() const {
  const std::lock_guard lock(mutex_);
  return trips_;
}

}  // namespace lang
