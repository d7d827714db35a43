// Two handlers count requests while a reporter looks at them: each picture is one of a single moment.
#undef NDEBUG
#include <cassert>
#include <cstdint>
#include <memory>
#include <thread>

#include "request_metrics.h"

namespace {

constexpr int kRounds = 4;

void serve(metrics::RequestMetrics& metrics, std::size_t first_route) {
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t route = (first_route + round) % metrics::kRoutes;
    metrics.record(route, 100);
    if (round % 2 == 1) metrics.record_error(route);
    assert(metrics.busiest_route() < metrics::kRoutes);
  }
}

void report(const metrics::RequestMetrics& metrics) {
  const metrics::RouteTotals before = metrics.route(0);
  const metrics::Snapshot seen = metrics.snapshot();
  assert(seen.sum() == seen.all);
  assert(seen.routes[0].requests >= before.requests);
}

void watch(const metrics::RequestMetrics& metrics) {
  const metrics::RouteTotals first = metrics.route(0);
  assert(metrics.busiest_route() < metrics::kRoutes);
  assert(metrics.route(1).errors <= kRounds);
  assert(metrics.busiest_route() < metrics::kRoutes);
  assert(metrics.route(0).requests >= first.requests);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<metrics::RequestMetrics>();
  metrics::RequestMetrics& metrics = *owner;

  std::thread watcher([&] { watch(metrics); });
  std::thread first([&] { serve(metrics, 0); });
  std::thread second([&] { serve(metrics, 2); });
  std::thread reporter([&] { report(metrics); });
  watcher.join();
  first.join();
  second.join();
  reporter.join();

  metrics.merge(metrics.drain());
  const metrics::Snapshot total = metrics.snapshot();
  assert(total.sum() == total.all);
  assert(total.all.requests == 2 * kRounds);
  assert(total.all.errors == kRounds);
  assert(total.all.bytes == std::uint64_t{2} * kRounds * 100);
}
