// Two connections of one customer transfer, a third one fails and gets back what it was charged. Their
// devices connect and get notices all the time.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <optional>
#include <thread>

#include "connections.h"
#include "traffic_quota.h"

namespace {

constexpr int kRounds = 8;

struct Customer {
  quota::TrafficQuota quota{quota::Tariff{.included = 10, .limit = 24}};
  quota::Connections connections;
  quota::Notices notices;
};

struct Transfers {
  quota::Units charged = 0;
  int refused = 0;
};

void stay_online(Customer& customer, int device) {
  for (int round = 0; round < kRounds; ++round) {
    const int connection = customer.connections.open(device);
    customer.notices.send(quota::Notice::offer, device);
    assert(customer.connections.of_device(device) == 1);
    const int second = customer.connections.open(device);
    assert(second > connection);
    if (round % 2 == 0) customer.notices.send(quota::Notice::warning, device);
    assert(customer.connections.most() >= 2);
    assert(customer.connections.close(connection));
    assert(customer.notices.sent(quota::Notice::offer) > round);
    assert(customer.connections.close(second));
    assert(customer.notices.last_device() > 0);
  }
  assert(customer.notices.sent() >= kRounds + kRounds / 2);
}

void transfer(Customer& customer, Transfers& transfers, quota::Units units) {
  if (const std::optional<quota::Units> cost = customer.quota.charge(units)) {
    transfers.charged += *cost;
  } else {
    ++transfers.refused;
  }
}

void retry(Customer& customer, Transfers& transfers) {
  const quota::Units before = transfers.charged;
  transfer(customer, transfers, 3);
  customer.quota.refund(transfers.charged - before);
  transfers.charged = before;
  assert(customer.quota.left() >= 0);
  stay_online(customer, 3);
}

void watch(Customer& customer) {
  const quota::Usage before = customer.quota.usage();
  const int refused = customer.quota.refused();
  assert(customer.quota.used() >= 0);
  assert(customer.quota.left() >= 0);
  stay_online(customer, 4);
  const quota::Usage after = customer.quota.usage();
  assert(after.transfers >= before.transfers && after.refunds >= before.refunds);
  assert(customer.quota.refused() >= refused);
  assert(customer.quota.used() <= 34);
  assert(customer.quota.usage().extensions <= 1);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<Customer>();
  Customer& customer = *owner;
  Transfers transfers[3];

  std::thread first([&] {
    transfer(customer, transfers[0], 5);
    stay_online(customer, 1);
  });
  std::thread watcher([&] { watch(customer); });
  std::thread second([&] {
    customer.quota.extend(10);
    stay_online(customer, 2);
  });
  stay_online(customer, 5);
  std::thread third([&] { retry(customer, transfers[2]); });
  first.join();
  watcher.join();
  second.join();
  third.join();

  transfer(customer, transfers[1], 4);
  assert(customer.quota.used() == transfers[0].charged + transfers[1].charged);
  assert(customer.quota.refused() == transfers[0].refused + transfers[1].refused + transfers[2].refused);
  assert(customer.notices.sent() == 5 * (kRounds + kRounds / 2));
}
