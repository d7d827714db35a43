#include "value_axis.h"

#include <stdexcept>
#include <vector>

namespace charts {
namespace {

void check(double lower, double upper) {
  if (!(lower < upper)) throw std::invalid_argument("an axis must have a positive length");
}

}  // namespace

ValueAxis::ValueAxis(double lower, double upper) : lower_(lower), upper_(upper) {
  check(lower, upper);
}

ValueAxis::Range ValueAxis::range() const {
  const std::lock_guard lock(mutex_);
  return {lower_, upper_};
}

double ValueAxis::length() const {
  const Range now = range();
  return now.second - now.first;
}

bool ValueAxis::contains(double value) const {
  const Range now = range();
  return now.first <= value && value <= now.second;
}

void ValueAxis::set_range(double lower, double upper) {
  check(lower, upper);
  {
    const std::lock_guard lock(mutex_);
    lower_ = lower;
    upper_ = upper;
  }
  notify();
}

void ValueAxis::set_lower_bound(double lower) {
  const double upper = upper_bound();
  set_range(lower, lower < upper ? upper : lower + 1);
}

void ValueAxis::set_upper_bound(double upper) {
  const double lower = lower_bound();
  set_range(lower < upper ? lower : upper - 1, upper);
}

void ValueAxis::zoom(double factor) {
  const Range now = range();
  const double middle = (now.first + now.second) / 2;
  const double half = (now.second - now.first) / 2 * factor;
  set_range(middle - half, middle + half);
}

bool ValueAxis::is_inverted() const {
  const std::lock_guard lock(mutex_);
  return inverted_;
}

void ValueAxis::set_inverted(bool inverted) {
  {
    const std::lock_guard lock(mutex_);
    if (inverted_ == inverted) return;
    inverted_ = inverted;
  }
  notify();
}

int ValueAxis::add_listener(Listener listener) {
  const std::lock_guard lock(mutex_);
  const int number = ++last_number_;
  listeners_.emplace(number, std::move(listener));
  return number;
}

bool ValueAxis::remove_listener(int number) {
  const std::lock_guard lock(mutex_);
  return listeners_.erase(number) > 0;
}

size_t ValueAxis::listener_count() const {
  const std::lock_guard lock(mutex_);
  return listeners_.size();
}

void ValueAxis::notify() const {
  std::vector<Listener> listeners;
  Range now;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, listener] : listeners_) listeners.push_back(listener);
    now = {lower_, upper_};
  }
  for (const Listener& listener : listeners) {
    if (listener) listener(now.first, now.second);
  }
}

}  // namespace charts
