// What a server knows of its requests: handlers count, a reporter looks at all of it at once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace metrics {

inline constexpr std::size_t kRoutes = 4;

struct RouteTotals {
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  std::uint64_t errors = 0;

  RouteTotals& operator+=(const RouteTotals& other);
  bool operator==(const RouteTotals&) const = default;
};

// One picture of all routes: `all` is their sum.
struct Snapshot {
  std::array<RouteTotals, kRoutes> routes;
  RouteTotals all;

  RouteTotals sum() const;
};

class RequestMetrics {
 public:
  void record(std::size_t route, std::uint64_t bytes);
  void record_error(std::size_t route);

  // Adds what another server process has counted.
  void merge(const Snapshot& other);

  RouteTotals route(std::size_t route) const;
  std::uint64_t busiest_route() const;

  Snapshot snapshot() const;

  // A snapshot, after which counting begins anew.
  Snapshot drain();

 private:
  mutable std::mutex mutex_;
  std::array<RouteTotals, kRoutes> routes_;
  RouteTotals all_;
};

}  // namespace metrics
