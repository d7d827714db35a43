// A cache is filled and detached while changes are published; a second cache listens all the time.
#undef NDEBUG
#include <cassert>
#include <cstddef>
#include <memory>
#include <thread>

#include "cache_bus.h"

namespace {

void change(cache::Bus& bus) {
  for (int key = 0; key < 3; ++key) bus.publish(key);
}

void fill(cache::Cache& cache) {
  for (int key = 10; key < 14; ++key) {
    cache.put(key, key * key);
    assert(cache.get(key) == key * key);
  }
  cache.detach();
}

void watch(const cache::Bus& bus, const cache::Cache& cache) {
  const int published = bus.published();
  const cache::Usage before = cache.usage();
  const std::size_t forgotten = cache.forgotten();
  assert(bus.listeners() >= 1);
  const cache::Usage after = cache.usage();
  assert(after.puts >= before.puts && after.events >= before.events);
  assert(bus.published() >= published);
  assert(cache.forgotten() >= forgotten);
  assert(cache.usage().detached <= 1);
  assert(bus.listeners() <= 2);
}

}  // namespace

int main() {
  const auto bus_owner = std::make_unique<cache::Bus>();
  cache::Bus& bus = *bus_owner;
  const auto cache_owner = std::make_unique<cache::Cache>(bus);
  cache::Cache& first = *cache_owner;
  cache::Cache second(bus);
  first.attach();
  second.attach();
  first.put(1, 100);
  second.put(2, 200);

  std::thread changer([&] { change(bus); });
  std::thread watcher([&] { watch(bus, first); });
  std::thread filler([&] { fill(first); });
  watcher.join();
  changer.join();
  filler.join();

  assert(bus.listeners() == 1);
  assert(bus.published() == 3);
  assert(first.forgotten() <= 1);
  assert(second.forgotten() == 1);
  second.detach();
  assert(bus.listeners() == 0);
}
