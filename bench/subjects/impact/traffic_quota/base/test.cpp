// Two connections of one customer transfer, a third one fails and gets back what it was charged.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <optional>
#include <thread>

#include "traffic_quota.h"

namespace {

struct Transfers {
  quota::Units charged = 0;
  int refused = 0;
};

void transfer(quota::TrafficQuota& quota, Transfers& transfers, quota::Units units) {
  if (const std::optional<quota::Units> cost = quota.charge(units)) {
    transfers.charged += *cost;
  } else {
    ++transfers.refused;
  }
}

void retry(quota::TrafficQuota& quota, Transfers& transfers) {
  for (int attempt = 0; attempt < 2; ++attempt) {
    const quota::Units before = transfers.charged;
    transfer(quota, transfers, 3);
    quota.refund(transfers.charged - before);
    transfers.charged = before;
    assert(quota.left() >= 0);
  }
}

void watch(const quota::TrafficQuota& quota) {
  const quota::Usage before = quota.usage();
  const int refused = quota.refused();
  assert(quota.used() >= 0);
  assert(quota.left() >= 0);
  const quota::Usage after = quota.usage();
  assert(after.transfers >= before.transfers && after.refunds >= before.refunds);
  assert(quota.refused() >= refused);
  assert(quota.used() <= 34);
  assert(quota.usage().extensions <= 1);
  assert(quota.left() >= 0);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<quota::TrafficQuota>(quota::Tariff{.included = 10, .limit = 24});
  quota::TrafficQuota& quota = *owner;
  Transfers transfers[3];

  std::thread watcher([&] { watch(quota); });
  std::thread first([&] { transfer(quota, transfers[0], 5); });
  std::thread second([&] {
    for (int i = 0; i < 3; ++i) transfer(quota, transfers[1], 4);
    quota.extend(10);
  });
  std::thread third([&] { retry(quota, transfers[2]); });
  watcher.join();
  first.join();
  second.join();
  third.join();

  assert(quota.used() == transfers[0].charged + transfers[1].charged);
  assert(quota.refused() == transfers[0].refused + transfers[1].refused + transfers[2].refused);
}
