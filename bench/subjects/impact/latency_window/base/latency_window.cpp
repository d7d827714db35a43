#include "latency_window.h"

#include <algorithm>
#include <utility>

namespace latency {

Microseconds Window::mean() const {
  return samples == 0 ? 0 : total / samples;
}

Window& Window::operator+=(const Window& other) {
  samples += other.samples;
  total += other.total;
  longest = std::max(longest, other.longest);
  return *this;
}

void LatencyWindow::add(Microseconds time) {
  const std::lock_guard lock(mutex_);
  ++current_.samples;
  current_.total += time;
  current_.longest = std::max(current_.longest, time);
}

void LatencyWindow::add(const Window& window) {
  const std::lock_guard lock(mutex_);
  current_ += window;
}

Window LatencyWindow::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

bool LatencyWindow::slow(Microseconds threshold) const {
  const std::lock_guard lock(mutex_);
  return current_.mean() > threshold;
}

Window LatencyWindow::rotate() {
  const std::lock_guard lock(mutex_);
  ++windows_;
  return std::exchange(current_, Window{});
}

int LatencyWindow::windows() const {
  const std::lock_guard lock(mutex_);
  return windows_;
}

}  // namespace latency
