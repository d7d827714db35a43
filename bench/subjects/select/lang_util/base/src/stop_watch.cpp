#include "stop_watch.h"

#include <cstdio>
#include <stdexcept>

namespace lang {

void StopWatch::require(State state, const char* action) const {
  if (state_ != state) throw std::logic_error(std::string("the stop watch cannot ") + action + " now");
}

void StopWatch::start() {
  const std::lock_guard lock(mutex_);
  if (state_ != State::kStopped) require(State::kNew, "start");
  state_ = State::kRunning;
  started_ = clock_();
  before_ = 0;
}

void StopWatch::stop() {
  const std::lock_guard lock(mutex_);
  if (state_ != State::kSuspended) {
    require(State::kRunning, "stop");
    before_ += clock_() - started_;
  }
  state_ = State::kStopped;
}

void StopWatch::suspend() {
  const std::lock_guard lock(mutex_);
  require(State::kRunning, "suspend");
  before_ += clock_() - started_;
  state_ = State::kSuspended;
}

void StopWatch::resume() {
  const std::lock_guard lock(mutex_);
  require(State::kSuspended, "resume");
  started_ = clock_();
  state_ = State::kRunning;
}

StopWatch::Ticks StopWatch::split() {
  const std::lock_guard lock(mutex_);
  require(State::kRunning, "split");
  splits_.push_back(elapsed_locked());
  return splits_.back();
}

void StopWatch::reset() {
  const std::lock_guard lock(mutex_);
  state_ = State::kNew;
  before_ = 0;
  splits_.clear();
}

StopWatch::Ticks StopWatch::elapsed_locked() const {
  return state_ == State::kRunning ? before_ + clock_() - started_ : before_;
}

StopWatch::Ticks StopWatch::elapsed() const {
  const std::lock_guard lock(mutex_);
  return elapsed_locked();
}

bool StopWatch::is_running() const {
  const std::lock_guard lock(mutex_);
  return state_ == State::kRunning;
}

std::vector<StopWatch::Ticks> StopWatch::splits() const {
  const std::lock_guard lock(mutex_);
  return splits_;
}

std::string StopWatch::to_string() const {
  const Ticks ticks = elapsed();
  char text[64];
  std::snprintf(text, sizeof text, "%lld:%02lld:%02lld.%03lld", static_cast<long long>(ticks / 3'600'000),
                static_cast<long long>(ticks / 60'000 % 60), static_cast<long long>(ticks / 1000 % 60),
                static_cast<long long>(ticks % 1000));
  return text;
}

}  // namespace lang
