// Two administrators change settings while a client reads them: what it gets is always one whole version.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <thread>

#include "live_settings.h"

namespace {

constexpr int kRounds = 3;

void change_timeouts(settings::LiveSettings& settings) {
  for (int round = 1; round <= kRounds; ++round) assert(settings.set_timeout(100 * round) > 1);
}

void change_retries(settings::LiveSettings& settings) {
  for (int round = 1; round <= kRounds; ++round) assert(settings.set_retries(round) > 1);
  assert(settings.roll_back(1));
}

void use(const settings::LiveSettings& settings) {
  int newest = 0;
  for (int request = 0; request < 2 * kRounds; ++request) {
    const settings::Values& now = settings.current();
    assert(now.deadline_ms == now.timeout_ms * (now.retries + 1));
    assert(now.version >= newest);
    newest = now.version;
  }
  assert(settings.versions() >= static_cast<std::size_t>(newest));
}

void watch(const settings::LiveSettings& settings) {
  const std::size_t versions = settings.versions();
  const settings::Changes before = settings.changes();
  assert(settings.versions() >= versions);
  const settings::Changes after = settings.changes();
  assert(after.sum() >= before.sum());
  assert(after.timeouts >= before.timeouts);
}

}  // namespace

int main() {
  const auto owner = std::make_unique<settings::LiveSettings>(50, 0);
  settings::LiveSettings& settings = *owner;

  std::thread watcher([&] { watch(settings); });
  std::thread timeouts([&] { change_timeouts(settings); });
  std::thread retries([&] { change_retries(settings); });
  std::thread client([&] { use(settings); });
  watcher.join();
  timeouts.join();
  retries.join();
  client.join();

  assert(settings.current().version == 2 * kRounds + 2);
  assert(settings.changes().sum() == 2 * kRounds + 1);
  assert(!settings.roll_back(100));
}
