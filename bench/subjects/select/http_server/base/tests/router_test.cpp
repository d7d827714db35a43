#include "router.h"

#include <gtest/gtest.h>

#include "threads.h"

namespace web {
namespace {

Handler named(std::string name) {
  return [name = std::move(name)](Request& request) {
    std::string text = name;
    for (const auto& [key, value] : request.params) text += " " + key + "=" + value;
    return Response::text(text);
  };
}

Request request_for(std::string method, std::string path) {
  Request request;
  request.method = std::move(method);
  request.path = std::move(path);
  return request;
}

void add_sample_routes(Router& router) {
  router.add("GET", "/", named("root"));
  router.add("GET", "/users", named("users"));
  router.add("POST", "/users", named("new-user"));
  router.add("GET", "/users/:id", named("user"));
  router.add("DELETE", "/users/:id", named("delete-user"));
  router.add("GET", "/users/me", named("me"));
  router.add("GET", "/users/:id/posts/:post", named("post"));
  router.add("GET", "/files/*path", named("file"));
  router.add("GET", "/files/special", named("special"));
}

struct DispatchCase {
  const char* method;
  const char* path;
  int status;
  const char* text;  // null if it does not matter
};

class Dispatch : public testing::TestWithParam<DispatchCase> {};

TEST_P(Dispatch, TakesTheBestRoute) {
  Router router;
  add_sample_routes(router);
  Request request = request_for(GetParam().method, GetParam().path);
  const Response response = router.dispatch(request);
  EXPECT_EQ(response.status, GetParam().status);
  if (GetParam().text) {
    EXPECT_EQ(*response.body, GetParam().text);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, Dispatch,
    testing::Values(
        DispatchCase{"GET", "/", 200, "root"}, DispatchCase{"HEAD", "/", 200, "root"},
        DispatchCase{"POST", "/", 405, nullptr}, DispatchCase{"GET", "/users", 200, "users"},
        DispatchCase{"POST", "/users", 200, "new-user"}, DispatchCase{"PUT", "/users", 405, nullptr},
        DispatchCase{"GET", "/users/7", 200, "user id=7"}, DispatchCase{"GET", "/users/me", 200, "me"},
        DispatchCase{"DELETE", "/users/7", 200, "delete-user id=7"},
        DispatchCase{"DELETE", "/users/me", 405, nullptr}, DispatchCase{"GET", "/users/", 404, nullptr},
        DispatchCase{"GET", "/users/7/posts/8", 200, "post id=7 post=8"},
        DispatchCase{"GET", "/users/me/posts/8", 200, "post id=me post=8"},
        DispatchCase{"GET", "/users/7/posts", 404, nullptr},
        DispatchCase{"GET", "/files/a", 200, "file path=a"},
        DispatchCase{"GET", "/files/a/b.c", 200, "file path=a/b.c"},
        DispatchCase{"GET", "/files/", 200, "file path="},
        DispatchCase{"GET", "/files/special", 200, "special"},
        DispatchCase{"GET", "/files/special/x", 200, "file path=special/x"},
        DispatchCase{"GET", "/files", 404, nullptr}, DispatchCase{"GET", "/nothing", 404, nullptr}));

class BadPattern : public testing::TestWithParam<const char*> {};

TEST_P(BadPattern, IsRefused) {
  Router router;
  EXPECT_FALSE(router.add("GET", GetParam(), named("x")));
  EXPECT_EQ(router.size(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Table, BadPattern, testing::Values("", "a", "/a//b", "/:", "/*", "/*x/y", "/a/:/b"));

TEST(Router, OnePlaceHasOneName) {
  Router router;
  EXPECT_TRUE(router.add("GET", "/a/:x", named("x")));
  EXPECT_FALSE(router.add("POST", "/a/:y", named("y")));
}

TEST(Router, RemovedRoutesAreGone) {
  Router router;
  add_sample_routes(router);
  EXPECT_TRUE(router.remove("GET", "/users/me"));
  EXPECT_FALSE(router.remove("GET", "/users/me"));
  EXPECT_FALSE(router.remove("GET", "/users/:other"));
  Request request = request_for("GET", "/users/me");
  EXPECT_EQ(*router.dispatch(request).body, "user id=me");
}

TEST(Router, CountsHits) {
  Router router;
  router.add("GET", "/a", named("a"));
  for (int i = 0; i < 3; ++i) {
    Request request = request_for("GET", "/a");
    router.dispatch(request);
  }
  ASSERT_EQ(router.routes().size(), 1U);
  EXPECT_EQ(router.routes()[0].hits, 3U);
}

enum class Operation { kAdd, kRemove, kDispatch, kRoutes };
constexpr const char* kNames[] = {"Add", "Remove", "Dispatch", "Routes"};

class RouterPairs : public testing::TestWithParam<Pair<Operation>> {};

TEST_P(RouterPairs, WorkTogether) {
  constexpr int kRounds = 12;
  Router router;
  add_sample_routes(router);
  for (int i = 0; i < kRounds; ++i) router.add("GET", "/old/" + std::to_string(i), named("old"));
  const std::size_t before = router.size();
  std::vector<int> good(GetParam().threads);
  run_threads(GetParam().threads, [&](int thread) {
    for (int i = 0; i < kRounds; ++i) {
      const std::string own = "/t" + std::to_string(thread) + "/" + std::to_string(i);
      switch (GetParam().of(thread)) {
        case Operation::kAdd:
          good[thread] += router.add("GET", own, named("own"));
          break;
        case Operation::kRemove:
          good[thread] += router.add("GET", own, named("own")) && router.remove("GET", own);
          break;
        case Operation::kDispatch: {
          Request request = request_for("GET", "/users/" + std::to_string(i));
          good[thread] += router.dispatch(request).status == 200;
          break;
        }
        case Operation::kRoutes:
          good[thread] += router.routes().size() >= before;
          break;
      }
    }
  });
  std::size_t added = 0;
  for (int thread = 0; thread < GetParam().threads; ++thread) {
    EXPECT_EQ(good[thread], kRounds);
    if (GetParam().of(thread) == Operation::kAdd) added += kRounds;
  }
  EXPECT_EQ(router.size(), before + added);
}

INSTANTIATE_TEST_SUITE_P(All, RouterPairs, testing::ValuesIn(all_pairs<Operation>(4, {2, 4, 8})),
                         [](const auto& info) { return pair_name(kNames, info.param); });

}  // namespace
}  // namespace web
