#include "traffic_quota.h"

#include <algorithm>

namespace quota {

Units Tariff::cost(Units used, Units units) const {
  const Units once = std::clamp(included - used, Units{0}, units);
  return once + (units - once) * factor;
}

std::optional<Units> TrafficQuota::charge(Units units) {
  std::unique_lock lock(mutex_);
  const Tariff tariff = tariff_;
  const Units used = used_;
  const Units cost = tariff.cost(used, units);
  if (used + cost > tariff.limit) {
    ++refused_;
    return std::nullopt;
  }
  used_ = used + cost;
  ++usage_.transfers;
  return cost;
}

void TrafficQuota::refund(Units cost) {
  const std::lock_guard lock(mutex_);
  used_ -= cost;
  ++usage_.refunds;
}

void TrafficQuota::extend(Units units) {
  const std::lock_guard lock(mutex_);
  tariff_.limit += units;
  tariff_.included += units;
  ++usage_.extensions;
}

Units TrafficQuota::used() const {
  const std::lock_guard lock(mutex_);
  return used_;
}

Units TrafficQuota::left() const {
  const std::lock_guard lock(mutex_);
  return tariff_.limit - used_;
}

int TrafficQuota::refused() const {
  const std::lock_guard lock(mutex_);
  return refused_;
}

Usage TrafficQuota::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

}  // namespace quota
