// One server measures, an exporter ends a window, and somebody watches. All times are the same, so that every
// window has this mean.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <thread>

#include "latency_window.h"

namespace {

constexpr latency::Microseconds kTime = 40;
constexpr int kRequests = 5;

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
  const auto owner = std::make_unique<latency::LatencyWindow>();
  latency::LatencyWindow& window = *owner;
  latency::Window exported;
  for (int request = 0; request < kRequests; ++request) window.add(kTime);

  std::thread watcher([&] { watch(window); });
  std::thread exporter([&] { exported = window.rotate(); });
  std::thread server([&] { serve(window); });
  watcher.join();
  exporter.join();
  server.join();

  check(exported);
  window.add(exported);
  check(window.current());
  assert(window.current().samples == 2 * kRequests);
  assert(window.windows() == 1);
}
