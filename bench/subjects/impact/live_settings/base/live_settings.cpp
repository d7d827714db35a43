#include "live_settings.h"

namespace settings {

LiveSettings::LiveSettings(int timeout_ms, int retries) {
  const std::lock_guard lock(mutex_);
  publish({.timeout_ms = timeout_ms, .retries = retries});
}

const Values& LiveSettings::current() const {
  return *current_.load(std::memory_order_acquire);
}

int LiveSettings::set_timeout(int timeout_ms) {
  const std::lock_guard lock(mutex_);
  Values values = *history_.back();
  values.timeout_ms = timeout_ms;
  ++changes_.timeouts;
  return publish(values);
}

int LiveSettings::set_retries(int retries) {
  const std::lock_guard lock(mutex_);
  Values values = *history_.back();
  values.retries = retries;
  ++changes_.retries;
  return publish(values);
}

bool LiveSettings::roll_back(int version) {
  const std::lock_guard lock(mutex_);
  for (const auto& values : history_) {
    if (values->version != version) continue;
    ++changes_.roll_backs;
    publish(*values);
    return true;
  }
  return false;
}

std::size_t LiveSettings::versions() const {
  const std::lock_guard lock(mutex_);
  return history_.size();
}

Changes LiveSettings::changes() const {
  const std::lock_guard lock(mutex_);
  return changes_;
}

int LiveSettings::publish(Values values) {
  values.version = static_cast<int>(history_.size()) + 1;
  values.deadline_ms = values.timeout_ms * (values.retries + 1);
  history_.push_back(std::make_unique<const Values>(values));
  current_.store(history_.back().get(), std::memory_order_release);
  return values.version;
}

}  // namespace settings
