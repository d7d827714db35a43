// One server measures, an exporter ends a window after a while, and somebody watches. All times are the same,
// so that every window has this mean. Endpoints are probed all the time.
#undef NDEBUG
#include <cassert>
#include <cstdint>
#include <memory>
#include <thread>

#include "latency_window.h"
#include "probes.h"

namespace {

constexpr latency::Microseconds kTime = 40;
constexpr int kRequests = 3;
constexpr int kRounds = 9;
constexpr std::uint64_t kOldExports = 50;

struct Monitor {
  latency::LatencyWindow window;
  latency::Probes probes;
  latency::Alarms alarms;
};

void probe(Monitor& monitor, int endpoint) {
  for (int round = 0; round < kRounds; ++round) {
    monitor.probes.answered(endpoint);
    assert(monitor.alarms.raise(endpoint));
    monitor.probes.failed(endpoint);
    assert(monitor.alarms.is_raised(endpoint));
    assert(latency::digest(static_cast<std::uint64_t>(endpoint)) != 0);
    assert(monitor.probes.failures(endpoint) == round + 1);
    assert(!monitor.alarms.raise(endpoint));
    assert(monitor.probes.worst() > 0);
    assert(monitor.alarms.ever_raised() > round);
    assert(monitor.alarms.clear(endpoint));
    assert(monitor.probes.probes() >= 2 * (round + 1));
  }
}

void check(const latency::Window& window) {
  assert(window.total == window.samples * kTime);
  assert(window.longest == (window.samples == 0 ? 0 : kTime));
}

void watch(const latency::LatencyWindow& window) {
  check(window.current());
  assert(!window.slow(kTime));
  const int windows = window.windows();
  assert(window.current().longest <= kTime);
  assert(window.windows() >= windows);
  check(window.current());
  assert(!window.slow(kTime));
  assert(window.current().samples <= 2 * kRequests);
  assert(window.windows() <= 1);
}

void serve(latency::LatencyWindow& window) {
  for (int request = 0; request < kRequests; ++request) {
    window.add(kTime);
    assert(!window.slow(kTime));
  }
}

}  // namespace

int main() {
  const auto owner = std::make_unique<Monitor>();
  Monitor& monitor = *owner;
  latency::LatencyWindow& window = monitor.window;
  latency::Window exported;
  for (int request = 0; request < kRequests; ++request) window.add(kTime);

  std::thread watcher([&] {
    watch(window);
    probe(monitor, 1);
  });
  std::thread exporter([&] {
    for (std::uint64_t old = 1; old < kOldExports; ++old)
      assert(latency::digest(old) != latency::digest(old + 1));
    exported = window.rotate();
    probe(monitor, 2);
  });
  std::thread prober([&] { probe(monitor, 3); });
  probe(monitor, 5);
  std::thread server([&] {
    serve(window);
    probe(monitor, 4);
  });
  watcher.join();
  exporter.join();
  prober.join();
  server.join();

  check(exported);
  window.add(exported);
  check(window.current());
  assert(window.current().samples == 2 * kRequests);
  assert(window.windows() == 1);
  assert(monitor.alarms.raised() == 0);
  assert(monitor.probes.probes() == 5 * 2 * kRounds);
}
