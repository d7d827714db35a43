// How much a customer may transfer. What goes beyond the included volume counts more.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

namespace quota {

using Units = std::int64_t;

struct Tariff {
  Units included = 0;  // up to here a unit counts once
  Units limit = 0;     // more than that is not possible
  int factor = 2;      // what a unit beyond the included ones counts

  // What a transfer counts for somebody who has used so much.
  Units cost(Units used, Units units) const;
};

// What has happened so far.
struct Usage {
  int transfers = 0;
  int refunds = 0;
  int extensions = 0;
};

class TrafficQuota {
 public:
  explicit TrafficQuota(Tariff tariff) : tariff_(tariff) {}

  // Counts a transfer. Returns what it was counted as, or nothing if it would exceed the limit.
  std::optional<Units> charge(Units units);

  // Gives back what a transfer that failed was counted as.
  void refund(Units cost);

  // Makes the limit, and with it the included volume, larger.
  void extend(Units units);

  Units used() const;
  Units left() const;
  int refused() const;
  Usage usage() const;

 private:
  mutable std::mutex mutex_;
  Tariff tariff_;
  Units used_ = 0;
  int refused_ = 0;
  Usage usage_;
};

}  // namespace quota
