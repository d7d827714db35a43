// One client at a time.
#include <gtest/gtest.h>

#include "client.h"

namespace web {
namespace {

struct PageCase {
  const char* method;
  const char* target;
  const char* headers;
  int status;
  const char* body;  // null if it does not matter
};

class Page : public testing::TestWithParam<PageCase> {};

TEST_P(Page, IsServed) {
  TestSite site;
  Client client = site.connect();
  const auto response = client.request(GetParam().method, GetParam().target, "", GetParam().headers);
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, GetParam().status);
  if (GetParam().body) {
    EXPECT_EQ(response->body, GetParam().body);
  }
  EXPECT_EQ(response->headers.get("Connection"), "keep-alive");
}

INSTANTIATE_TEST_SUITE_P(
    Table, Page,
    testing::Values(
        PageCase{"GET", "/hello", "", 200, "hello"}, PageCase{"HEAD", "/hello", "", 200, ""},
        PageCase{"POST", "/hello", "", 405, nullptr}, PageCase{"GET", "/none", "", 404, nullptr},
        PageCase{"GET", "/fail", "", 500, "500 Internal Server Error: broken\n"},
        PageCase{"GET", "/users/a%20b", "", 200, "a b"}, PageCase{"GET", "/users/x?y=z", "", 200, "x"},
        PageCase{"GET", "/files/a.txt", "", 200, "0123456789"}, PageCase{"HEAD", "/files/a.txt", "", 200, ""},
        PageCase{"GET", "/files/", "", 200, "<h1>index</h1>"},
        PageCase{"GET", "/files/deep/", "", 200, "deep"},
        PageCase{"GET", "/files/deep/../b.css", "", 200, "body {}"},
        PageCase{"GET", "/files/none", "", 404, nullptr},
        PageCase{"GET", "/files/a.txt", "Range: bytes=2-4\r\n", 206, "234"},
        PageCase{"GET", "/files/a.txt", "Range: bytes=-2\r\n", 206, "89"},
        PageCase{"GET", "/files/a.txt", "Range: bytes=50-\r\n", 416, nullptr},
        PageCase{"GET", "/files/a.txt", "If-None-Match: *\r\n", 304, ""},
        PageCase{"GET", "/files/a.txt", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n", 304, ""},
        PageCase{"GET", "/visits", "", 200, "1"}, PageCase{"GET", "/-/metrics", "", 200, nullptr},
        PageCase{"GET", "/-/routes", "", 200, nullptr}, PageCase{"GET", "/-/status", "", 200, nullptr},
        PageCase{"GET", "/-/cache", "", 200, "[]"}, PageCase{"POST", "/-/reap?idle=0", "", 200, "0"},
        PageCase{"POST", "/-/sessions/sweep", "", 200, "0"},
        PageCase{"POST", "/-/cache/invalidate?below=/", "", 200, "0"},
        PageCase{"DELETE", "/channels/none", "", 404, nullptr}));

class KeepAlive : public testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(KeepAlive, ServesUpToItsLimit) {
  const auto [requests, limit] = GetParam();
  ServerConfig config;
  config.max_requests_per_connection = limit;
  TestSite site(config);
  Client client = site.connect();
  int served = 0;
  for (int i = 0; i < requests; ++i) {
    const auto response = client.get("/users/" + std::to_string(i));
    if (!response) break;
    EXPECT_EQ(response->body, std::to_string(i));
    ++served;
    EXPECT_EQ(response->headers.get("Connection"), served < limit ? "keep-alive" : "close");
  }
  EXPECT_EQ(served, std::min(requests, limit));
}

INSTANTIATE_TEST_SUITE_P(Grid, KeepAlive,
                         testing::Combine(testing::Values(1, 3, 8), testing::Values(1, 4, 100)));

class PipelinedRequests : public testing::TestWithParam<int> {};

TEST_P(PipelinedRequests, AreAnsweredInOrder) {
  TestSite site;
  Client client = site.connect();
  std::string text;
  for (int i = 0; i < GetParam(); ++i)
    text += "GET /users/" + std::to_string(i) + " HTTP/1.1\r\nHost: t\r\n\r\n";
  ASSERT_TRUE(client.send(text));
  for (int i = 0; i < GetParam(); ++i) {
    const auto response = client.receive();
    ASSERT_TRUE(response.has_value());
    EXPECT_EQ(response->body, std::to_string(i));
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, PipelinedRequests, testing::Values(1, 2, 5, 12));

struct RefusedCase {
  const char* text;
  int status;
};

class Refused : public testing::TestWithParam<RefusedCase> {};

TEST_P(Refused, EndsTheConnection) {
  TestSite site;
  Client client = site.connect();
  client.send(GetParam().text);
  const auto response = client.receive();
  ASSERT_TRUE(response.has_value());
  EXPECT_EQ(response->status, GetParam().status);
  EXPECT_EQ(response->headers.get("Connection"), "close");
  EXPECT_TRUE(client.at_end());
}

INSTANTIATE_TEST_SUITE_P(
    Table, Refused,
    testing::Values(RefusedCase{"rubbish\r\n\r\n", 400}, RefusedCase{"GET / HTTP/1.1\r\n\r\n", 400},
                    RefusedCase{"GET /../x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
                    RefusedCase{"GET / HTTP/3.0\r\n\r\n", 505},
                    RefusedCase{"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413}));

TEST(Server, SaysContinueBeforeTheBody) {
  TestSite site;
  Client client = site.connect();
  client.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.receive()->status, 100);
  client.send("hi");
  EXPECT_EQ(client.receive()->body, "hi");
}

TEST(Server, SessionsAreFoundByTheirCookie) {
  TestSite site;
  Client client = site.connect();
  const auto first = client.get("/visits");
  const std::string cookie(first->headers.get("Set-Cookie")->substr(0, 36));
  EXPECT_EQ(client.get("/visits", "Cookie: " + cookie + "\r\n")->body, "2");
  EXPECT_EQ(client.get("/visits", "Cookie: sid=wrong\r\n")->body, "1");
  EXPECT_EQ(site.sessions.size(), 2U);
}

TEST(Server, LimitsTheRate) {
  TestSite site({}, RatePolicy{1, 2});
  Client client = site.connect();
  EXPECT_EQ(client.get("/hello")->status, 200);
  EXPECT_EQ(client.get("/hello")->status, 200);
  const auto refused = client.get("/hello");
  EXPECT_EQ(refused->status, 429);
  EXPECT_EQ(refused->headers.get("Retry-After"), "1");
  site.clock.advance(1000);
  EXPECT_EQ(client.get("/hello")->status, 200);
}

TEST(Server, ClosesIdleConnections) {
  TestSite site;
  Client idle = site.connect();
  Client admin = site.connect();
  EXPECT_EQ(idle.get("/hello")->status, 200);
  site.clock.advance(5000);
  // The response is on its way a little before the connection counts as idle.
  while (admin.request("POST", "/-/reap?idle=5000")->body == "0") {
    site.clock.advance(5000);
  }
  EXPECT_TRUE(idle.at_end());
  EXPECT_EQ(admin.get("/hello")->status, 200);
}

TEST(Server, StopClosesIdleConnectionsAndRefusesNewOnes) {
  TestSite site;
  Client client = site.connect();
  EXPECT_EQ(client.get("/hello")->status, 200);
  site.server->stop();
  EXPECT_TRUE(client.at_end());
  EXPECT_FALSE(site.connect().connected());
  EXPECT_EQ(site.sink.lines().size(), 1U);
}

TEST(Server, LogsAndCounts) {
  TestSite site;
  Client client = site.connect("anna");
  client.get("/hello");
  client.get("/none");
  const auto log = client.get("/-/log?limit=1");
  EXPECT_NE(log->body.find("anna [0] \"GET /none\" 404"), std::string::npos) << log->body;
  EXPECT_NE(client.get("/-/metrics")->body.find("http_requests_total 4\n"), std::string::npos);
}

TEST(Server, RefusesTooManyConnections) {
  ServerConfig config;
  config.max_connections = 1;
  TestSite site(config);
  Client first = site.connect();
  EXPECT_EQ(first.get("/hello")->status, 200);
  Client second = site.connect();
  EXPECT_EQ(second.receive()->status, 503);
  EXPECT_TRUE(second.at_end());
}

}  // namespace
}  // namespace web
