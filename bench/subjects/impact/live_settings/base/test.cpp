// Two administrators change settings while a client reads them: what it gets is always one whole version.
// Clients come and go, and their requests are counted.
#undef NDEBUG
#include <cassert>
#include <memory>
#include <thread>

#include "clients.h"
#include "live_settings.h"

namespace {

constexpr int kRounds = 3;
constexpr int kRequests = 8;

struct Server {
  settings::LiveSettings settings{50, 0};
  settings::Clients clients;
  settings::Outcomes outcomes;
};

void request(Server& server, int client) {
  for (int request = 0; request < kRequests; ++request) {
    const int ticket = server.clients.come(client);
    server.outcomes.add(settings::Outcome::answer, 10 * client);
    assert(server.clients.is_there(client));
    const int other = server.clients.come(client);
    assert(other > ticket);
    server.outcomes.add(request % 2 == 0 ? settings::Outcome::timeout : settings::Outcome::error, request);
    assert(server.clients.go(ticket));
    assert(server.outcomes.count(settings::Outcome::answer) > request);
    assert(server.clients.most() >= 2);
    assert(server.clients.go(other));
    assert(server.outcomes.longest() >= 10 * client);
  }
}

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
  const auto owner = std::make_unique<Server>();
  Server& server = *owner;
  settings::LiveSettings& settings = server.settings;

  std::thread watcher([&] {
    watch(settings);
    request(server, 1);
  });
  std::thread timeouts([&] {
    request(server, 2);
    change_timeouts(settings);
  });
  std::thread retries([&] {
    request(server, 3);
    change_retries(settings);
  });
  std::thread client([&] {
    request(server, 4);
    use(settings);
  });
  watcher.join();
  timeouts.join();
  retries.join();
  client.join();

  assert(settings.current().version == 2 * kRounds + 2);
  assert(settings.changes().sum() == 2 * kRounds + 1);
  assert(!settings.roll_back(100));
  assert(server.outcomes.sum() == 4 * 2 * kRequests);
  assert(server.outcomes.longest() == 40);
}
