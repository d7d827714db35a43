// The same server over TCP on the loopback interface.
#include "socket_transport.h"

#include <gtest/gtest.h>

#include "client.h"
#include "threads.h"

namespace web {
namespace {

class SocketClients : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(SocketClients, AreServed) {
  const auto [clients, requests] = GetParam();
  ManualClock clock;
  MetricsRegistry metrics;
  Router router;
  router.add("POST", "/echo", [](Request& request) { return Response::text(request.body); });
  ServerConfig config;
  config.workers = clients;
  Server server({&clock, &router, &metrics}, config);
  const auto listener = std::make_shared<SocketListener>();
  server.start(listener);
  std::vector<int> good(clients);
  run_threads(clients, [&, requests = requests](int index) {
    Client client(connect_to_loopback(listener->port()));
    for (int round = 0; round < requests; ++round) {
      const std::string body = std::to_string(index * 100 + round);
      const auto response = client.request("POST", "/echo", body);
      good[index] += response && response->body == body;
    }
  });
  server.stop();
  EXPECT_EQ(good, std::vector<int>(clients, requests));
}

INSTANTIATE_TEST_SUITE_P(Grid, SocketClients,
                         testing::Combine(testing::Values(1, 2, 4), testing::Values(1, 3)));

TEST(SocketListener, PortsAreChosenByTheKernel) {
  SocketListener first;
  SocketListener second;
  EXPECT_NE(first.port(), 0);
  EXPECT_NE(first.port(), second.port());
}

TEST(SocketListener, CloseEndsAccept) {
  SocketListener listener;
  run_threads(2, [&](int thread) {
    if (thread == 0) {
      EXPECT_FALSE(listener.accept());
    } else {
      listener.close();
    }
  });
}

}  // namespace
}  // namespace web
