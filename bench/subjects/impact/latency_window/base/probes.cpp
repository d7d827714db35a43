#include "probes.h"

#include <algorithm>

namespace latency {

void Probes::answered(int endpoint) {
  const std::lock_guard lock(mutex_);
  ++endpoints_.at(static_cast<std::size_t>(endpoint)).answers;
}

void Probes::failed(int endpoint) {
  const std::lock_guard lock(mutex_);
  ++endpoints_.at(static_cast<std::size_t>(endpoint)).failures;
}

int Probes::failures(int endpoint) const {
  const std::lock_guard lock(mutex_);
  return endpoints_.at(static_cast<std::size_t>(endpoint)).failures;
}

int Probes::worst() const {
  const std::lock_guard lock(mutex_);
  std::size_t worst = 0;
  for (std::size_t endpoint = 1; endpoint < kEndpoints; ++endpoint) {
    if (endpoints_[endpoint].failures > endpoints_[worst].failures) worst = endpoint;
  }
  return static_cast<int>(worst);
}

int Probes::probes() const {
  const std::lock_guard lock(mutex_);
  int sum = 0;
  for (const Endpoint& endpoint : endpoints_) sum += endpoint.answers + endpoint.failures;
  return sum;
}

std::uint64_t digest(std::uint64_t of) {
  constexpr int kRounds = 1 << 13;
  std::uint64_t digest = of;
  for (int round = 0; round < kRounds; ++round) {
    digest = (digest ^ (digest >> 31)) * 0x7fb5d329728ea185;
    digest = (digest ^ (digest >> 27)) * 0x81dadef4bc2dd44d;
    digest ^= digest >> 33;
  }
  return digest;
}

bool Alarms::raise(int endpoint) {
  const std::lock_guard lock(mutex_);
  if (std::find(raised_.begin(), raised_.end(), endpoint) != raised_.end()) return false;
  raised_.push_back(endpoint);
  ++ever_raised_;
  return true;
}

bool Alarms::clear(int endpoint) {
  const std::lock_guard lock(mutex_);
  return std::erase(raised_, endpoint) > 0;
}

bool Alarms::is_raised(int endpoint) const {
  const std::lock_guard lock(mutex_);
  return std::find(raised_.begin(), raised_.end(), endpoint) != raised_.end();
}

std::size_t Alarms::raised() const {
  const std::lock_guard lock(mutex_);
  return raised_.size();
}

int Alarms::ever_raised() const {
  const std::lock_guard lock(mutex_);
  return ever_raised_;
}

}  // namespace latency
