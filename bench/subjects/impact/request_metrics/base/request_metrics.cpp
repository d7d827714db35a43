#include "request_metrics.h"

namespace metrics {

RouteTotals& RouteTotals::operator+=(const RouteTotals& other) {
  requests += other.requests;
  bytes += other.bytes;
  errors += other.errors;
  return *this;
}

RouteTotals Snapshot::sum() const {
  RouteTotals result;
  for (const RouteTotals& route : routes) result += route;
  return result;
}

void RequestMetrics::record(std::size_t route, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  ++routes_[route].requests;
  routes_[route].bytes += bytes;
  ++all_.requests;
  all_.bytes += bytes;
}

void RequestMetrics::record_error(std::size_t route) {
  const std::lock_guard lock(mutex_);
  ++routes_[route].errors;
  ++all_.errors;
}

void RequestMetrics::merge(const Snapshot& other) {
  const std::lock_guard lock(mutex_);
  for (std::size_t route = 0; route < kRoutes; ++route) routes_[route] += other.routes[route];
  all_ += other.all;
}

RouteTotals RequestMetrics::route(std::size_t route) const {
  const std::lock_guard lock(mutex_);
  return routes_[route];
}

std::uint64_t RequestMetrics::busiest_route() const {
  const std::lock_guard lock(mutex_);
  std::size_t busiest = 0;
  for (std::size_t route = 1; route < kRoutes; ++route) {
    if (routes_[route].requests > routes_[busiest].requests) busiest = route;
  }
  return busiest;
}

Snapshot RequestMetrics::snapshot() const {
  Snapshot result;
  const std::lock_guard lock(mutex_);
  result.all = all_;
  result.routes = routes_;
  return result;
}

Snapshot RequestMetrics::drain() {
  const std::lock_guard lock(mutex_);
  Snapshot result;
  result.routes = routes_;
  result.all = all_;
  routes_ = {};
  all_ = {};
  return result;
}

}  // namespace metrics
