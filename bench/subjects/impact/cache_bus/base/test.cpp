// A cache is filled and detached while changes are published, some time after them; a second cache listens
// all the time. Everybody reads and writes pages meanwhile.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <thread>

#include "cache_bus.h"
#include "tiers.h"

namespace {

constexpr int kRounds = 8;

struct Site {
  cache::Bus bus;
  cache::Cache first{bus};
  cache::Cache second{bus};
  cache::PageStore pages;
  cache::TierRates rates;
};

void edit(Site& site, int page) {
  for (int round = 0; round < kRounds; ++round) {
    assert(site.pages.write(page, 100 + round) > round);
    site.rates.miss(cache::Tier::memory);
    assert(site.pages.length(page) == 100 + round);
    assert(cache::checksum(page, 100 + round) != cache::checksum(page, 101 + round));
    site.rates.hit(round % 2 == 0 ? cache::Tier::disk : cache::Tier::network);
    assert(site.rates.rate(cache::Tier::memory) == 0);
    assert(site.pages.write(page, 200) > round);
    assert(site.pages.pages() >= 1);
    assert(site.rates.lookups() >= 2);
    assert(site.pages.remove(page));
  }
}

void change(Site& site) {
  site.bus.publish(0);
  site.bus.publish(2);
  edit(site, 1);
}

void fill(Site& site) {
  edit(site, 2);
  for (int key = 10; key < 14; ++key) {
    site.first.put(key, key * key);
    assert(site.first.get(key) == key * key);
  }
  site.first.detach();
}

void watch(Site& site) {
  const int published = site.bus.published();
  const cache::Usage before = site.first.usage();
  const std::size_t forgotten = site.first.forgotten();
  edit(site, 3);
  assert(site.bus.listeners() >= 1);
  const cache::Usage after = site.first.usage();
  assert(after.puts >= before.puts && after.events >= before.events);
  assert(site.bus.published() >= published);
  assert(site.first.forgotten() >= forgotten);
  assert(site.first.usage().detached <= 1);
  assert(site.bus.listeners() <= 2);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<Site>();
  Site& site = *owner;
  site.first.attach();
  site.second.attach();
  site.first.put(1, 100);
  site.second.put(2, 200);

  std::thread changer([&] { change(site); });
  std::thread watcher([&] { watch(site); });
  std::thread editor([&] { edit(site, 4); });
  std::thread filler([&] { fill(site); });
  changer.join();
  watcher.join();
  editor.join();
  filler.join();

  assert(site.bus.listeners() == 1);
  assert(site.bus.published() == 2);
  assert(site.first.forgotten() == 0);
  assert(site.second.forgotten() == 1);
  site.second.detach();
  assert(site.bus.listeners() == 0);
  assert(site.pages.pages() == 0);
  assert(site.rates.lookups() == 4 * 2 * kRounds);
}
