// Many clients at the same time, each with a connection of its own.
#include <gtest/gtest.h>

#include "client.h"
#include "threads.h"

namespace web {
namespace {

enum class Traffic {
  kHello,
  kEcho,
  kErrors,
  kFiles,
  kHottest,
  kSession,
  kOwnSessions,
  kSessionStatus,
  kStatus,
  kReap,
  kLimited,
  kLog,
  kMetrics
};
constexpr const char* kTrafficNames[] = {"Hello",   "Echo",        "Errors",        "Files",  "Hottest",
                                         "Session", "OwnSessions", "SessionStatus", "Status", "Reap",
                                         "Limited", "Log",         "Metrics"};

struct TrafficCase {
  Traffic traffic;
  int clients;
  int requests;
};

std::vector<TrafficCase> traffic_cases() {
  std::vector<TrafficCase> cases;
  for (int traffic = 0; traffic <= static_cast<int>(Traffic::kMetrics); ++traffic) {
    for (const int clients : {1, 2, 4, 8}) {
      for (const int requests : {1, 5}) cases.push_back({static_cast<Traffic>(traffic), clients, requests});
    }
  }
  return cases;
}

/// One request of that traffic; whether the response is what it should be.
bool exchange(Traffic traffic, Client& client, int index, int round, const std::string& cookie) {
  const auto good = [](const std::optional<ClientResponse>& response, int status) {
    return response && response->status == status;
  };
  switch (traffic) {
    case Traffic::kHello:
      return good(client.get("/hello"), 200);
    case Traffic::kEcho: {
      const std::string body = std::to_string(index) + ":" + std::to_string(round);
      const auto response = client.request("POST", "/echo", body);
      return good(response, 200) && response->body == body;
    }
    case Traffic::kErrors:
      return good(client.get(round % 2 == 0 ? "/none" : "/fail"), round % 2 == 0 ? 404 : 500);
    case Traffic::kFiles: {
      const auto response = client.get("/files/a.txt");
      return good(response, 200) && response->body == "0123456789";
    }
    case Traffic::kSession:
      return good(client.get("/visits", "Cookie: " + cookie + "\r\n"), 200);
    case Traffic::kOwnSessions:
      return good(client.get("/visits"), 200);
    case Traffic::kHottest:
      return good(client.get(index % 2 == 0 ? "/files/b.css" : "/-/cache?limit=2"), 200);
    case Traffic::kSessionStatus:
      if (index % 2 == 1) return good(client.get("/-/status"), 200);
      return good(client.get("/visits", "Cookie: " + cookie + "\r\n"), 200);
    case Traffic::kStatus:
      return good(client.get(index % 2 == 0 ? "/-/status" : "/-/routes"), 200);
    case Traffic::kReap: {
      if (index % 2 == 1) return good(client.get("/hello"), 200);
      const auto response = client.request("POST", "/-/reap?idle=1000");
      return good(response, 200) && response->body == "0";
    }
    case Traffic::kLimited:
      return good(client.get("/hello"), round < 3 ? 200 : 429);
    case Traffic::kLog:
      return good(client.get("/-/log?limit=3"), 200);
    case Traffic::kMetrics:
      return good(client.get("/-/metrics"), 200);
  }
  return false;
}

class ServerTraffic : public testing::TestWithParam<TrafficCase> {};

TEST_P(ServerTraffic, EveryRequestIsAnswered) {
  const auto [traffic, clients, requests] = GetParam();
  ServerConfig config;
  config.workers = clients;
  std::optional<RatePolicy> policy;
  if (traffic == Traffic::kLimited) policy = RatePolicy{0, 3};
  TestSite site(config, policy);
  const auto [sid, session] = site.sessions.create();
  if (traffic == Traffic::kHottest) site.cache.get_or_load("/site/b.css");
  std::vector<int> good(clients);
  run_threads(clients, [&, traffic = traffic, requests = requests, cookie = "sid=" + sid](int index) {
    Client client = site.connect("client" + std::to_string(index));
    for (int round = 0; round < requests; ++round)
      good[index] += exchange(traffic, client, index, round, cookie);
  });
  site.server->stop();
  EXPECT_EQ(good, std::vector<int>(clients, requests));
  EXPECT_EQ(site.metrics.counter("http_requests_total").value(),
            static_cast<std::uint64_t>(clients) * requests);
  EXPECT_EQ(site.sink.lines().size(), static_cast<std::size_t>(clients) * requests);
  EXPECT_EQ(site.server->connections().size(), 0U);
  if (traffic == Traffic::kSession) {
    EXPECT_EQ(session->get("visits"), std::to_string(clients * requests));
  }
  if (traffic == Traffic::kOwnSessions) {
    EXPECT_EQ(site.sessions.size(), static_cast<std::size_t>(clients) * requests + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Grid, ServerTraffic, testing::ValuesIn(traffic_cases()), [](const auto& info) {
  return std::string(kTrafficNames[static_cast<int>(info.param.traffic)]) +
         std::to_string(info.param.clients) + "Clients" + std::to_string(info.param.requests) + "Requests";
});

class FewWorkers : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(FewWorkers, ServeConnectionsOneAfterTheOther) {
  const auto [workers, clients] = GetParam();
  ServerConfig config;
  config.workers = workers;
  TestSite site(config);
  std::vector<int> good(clients);
  run_threads(clients, [&](int index) {
    Client client = site.connect();
    const auto response = client.get("/users/" + std::to_string(index), "Connection: close\r\n");
    good[index] = response && response->body == std::to_string(index) && client.at_end();
  });
  EXPECT_EQ(good, std::vector<int>(clients, 1));
}

INSTANTIATE_TEST_SUITE_P(Grid, FewWorkers,
                         testing::Combine(testing::Values(1, 2, 3), testing::Values(2, 5, 10)));

class StopDuringTraffic : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(StopDuringTraffic, CutsNobodyOff) {
  const auto [clients, stoppers] = GetParam();
  ServerConfig config;
  config.workers = clients;
  TestSite site(config);
  std::vector<std::size_t> answered(clients);
  run_threads(clients + stoppers, [&, clients = clients](int index) {
    if (index >= clients) return site.server->stop();
    Client client = site.connect();
    if (!client.connected()) return;
    // Whoever gets an answer gets all of it.
    while (const auto response = client.get("/files/a.txt")) {
      EXPECT_EQ(response->body, "0123456789");
      if (++answered[index] == 4 || response->headers.get("Connection") == "close") break;
    }
  });
  std::size_t total = 0;
  for (const std::size_t count : answered) total += count;
  EXPECT_GE(site.sink.lines().size(), total);
  EXPECT_EQ(site.server->connections().size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Grid, StopDuringTraffic,
                         testing::Combine(testing::Values(1, 2, 6), testing::Values(1, 2)));

class LongPolling : public testing::TestWithParam<int> {};

TEST_P(LongPolling, WakesEveryFollower) {
  ServerConfig config;
  config.workers = GetParam() + 1;
  TestSite site(config);
  std::vector<std::string> got(GetParam());
  run_threads(GetParam() + 1, [&](int index) {
    Client client = site.connect();
    if (index == GetParam()) {
      EXPECT_EQ(client.request("POST", "/channels/news", "first")->status, 201);
    } else {
      got[index] = client.get("/channels/news?after=0")->body;
    }
  });
  for (const std::string& body : got) EXPECT_EQ(body, "[{\"number\":1,\"text\":\"first\"}]");
}

INSTANTIATE_TEST_SUITE_P(Followers, LongPolling, testing::Values(1, 2, 4, 8));

}  // namespace
}  // namespace web
