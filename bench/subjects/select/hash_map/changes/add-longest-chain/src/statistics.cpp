#include "statistics.h"

#include <sstream>

namespace collections {

double Statistics::hit_rate() const {
  const std::uint64_t lookups = hits + misses;
  return lookups == 0 ? 0.0 : static_cast<double>(hits) / static_cast<double>(lookups);
}

double Statistics::skew() const {
  if (entries == 0) return 1.0;
  const double average = static_cast<double>(entries) / static_cast<double>(buckets);
  return static_cast<double>(longest_chain) / (average > 1 ? average : 1.0);
}

std::string Statistics::to_string() const {
  std::ostringstream out;
  out << entries << " entries in " << buckets << " buckets, " << hits << " hits, " << misses << " misses, "
      << resizes << " resizes";
  return out.str();
}

void UsageCounter::count_lookup(bool hit) {
  const std::lock_guard lock(mutex_);
  if (hit) {
    ++hits_;
  } else {
    ++misses_;
  }
}

void UsageCounter::count_resize() {
  const std::lock_guard lock(mutex_);
  ++resizes_;
}

void UsageCounter::reset() {
  const std::lock_guard lock(mutex_);
  hits_ = 0;
  misses_ = 0;
  resizes_ = 0;
}

void UsageCounter::fill(Statistics& statistics) const {
  const std::lock_guard lock(mutex_);
  statistics.hits = hits_;
  statistics.misses = misses_;
  statistics.resizes = resizes_;
}

}  // namespace collections
