// Two handlers count requests while a reporter looks at them: each picture is one of a single moment. Users
// begin and end sessions, and use up what they may ask for.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>

#include "request_metrics.h"
#include "sessions.h"

namespace {

constexpr int kRounds = 2;
constexpr int kVisits = 8;

struct Server {
  metrics::RequestMetrics metrics;
  metrics::Sessions sessions;
  metrics::Limits limits;
};

void visit(Server& server, int user) {
  for (int visit = 0; visit < kVisits; ++visit) {
    const int session = server.sessions.begin(user);
    server.limits.grant(user, 2);
    assert(server.sessions.touch(session));
    assert(server.limits.use(user));
    assert(server.sessions.of_user(user) == 1);
    assert(server.limits.left(user) == 1);
    assert(server.sessions.touch(session));
    assert(server.limits.use(user));
    assert(server.limits.granted() >= 2 * (visit + 1));
    assert(server.sessions.end(session));
    assert(server.sessions.ended() > visit);
  }
}

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
  const auto owner = std::make_unique<Server>();
  Server& server = *owner;
  metrics::RequestMetrics& metrics = server.metrics;

  std::thread first([&] {
    serve(metrics, 0);
    visit(server, 1);
  });
  std::thread second([&] {
    serve(metrics, 2);
    visit(server, 2);
  });
  std::thread watcher([&] {
    watch(metrics);
    visit(server, 3);
  });
  visit(server, 5);
  std::thread reporter([&] {
    report(metrics);
    visit(server, 4);
  });
  first.join();
  second.join();
  watcher.join();
  reporter.join();

  metrics.merge(metrics.drain());
  const metrics::Snapshot total = metrics.snapshot();
  assert(total.sum() == total.all);
  assert(total.all.requests == 2 * kRounds);
  assert(total.all.errors == kRounds);
  assert(server.sessions.ended() == 5 * kVisits);
  assert(server.limits.granted() == 5 * 2 * kVisits);
  assert(total.all.bytes == std::uint64_t{2} * kRounds * 100);
}
