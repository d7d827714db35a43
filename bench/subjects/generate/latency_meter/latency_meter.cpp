#include "latency_meter.h"

namespace metrics {

void LatencyMeter::record(uint32_t microseconds) {
  count_.fetch_add(1);
  total_.fetch_add(microseconds);
  raise_longest(microseconds);
}

void LatencyMeter::record_failure() {
  failures_.fetch_add(1);
}

void LatencyMeter::raise_longest(uint32_t microseconds) {
  uint32_t longest = longest_.load();
  while (longest < microseconds && !longest_.compare_exchange_weak(longest, microseconds)) {
  }
}

void LatencyMeter::merge(const LatencyMeter& other) {
  count_.fetch_add(other.count());
  total_.fetch_add(other.total());
  failures_.fetch_add(other.failures());
  raise_longest(other.longest());
}

void LatencyMeter::reset() {
  count_.store(0);
  total_.store(0);
  failures_.store(0);
  longest_.store(0);
}

double LatencyMeter::mean() const {
  const uint64_t requests = count();
  if (requests == 0) return 0;
  return static_cast<double>(total()) / static_cast<double>(requests);
}

std::pair<uint64_t, uint64_t> LatencyMeter::summary() const {
  return {count(), total()};
}

double LatencyMeter::failure_rate() const {
  const uint64_t failed = failures();
  if (failed == 0) return 0;
  return static_cast<double>(failed) / static_cast<double>(failed + count());
}

}  // namespace metrics
