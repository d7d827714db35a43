#include "execute/seeds.h"

#include <gtest/gtest.h>

#include "fake_server.h"

namespace heddle {
namespace {

TEST(Seeds, RangeIsTwoNumbers) {
  EXPECT_EQ(parse_seeds("1-1000"), (SeedRange{1, 1000}));
  EXPECT_EQ(parse_seeds("7-7"), (SeedRange{7, 7}));
  EXPECT_EQ(parse_seeds("0-18446744073709551615")->count(), UINT64_MAX);
  for (const char* text :
       {"", "7", "-", "1-", "-9", "9-1", "1-2-3", "a-b", "1 - 2", "1-18446744073709551616"}) {
    EXPECT_FALSE(parse_seeds(text)) << text;
  }
}

TEST(Seeds, EachIsExecutedOnceInOrderByOneServer) {
  ForkServer server = start_fake({"ok"});
  std::vector<uint64_t> seen;
  const Expected<uint64_t> count =
      run_seeds(server, {.policy = {.kind = trace::PolicyKind::kRandom}}, {3, 6},
                [&](const ExecutionRequest& request, const Execution& execution) {
                  seen.push_back(request.policy.seed);
                  EXPECT_FALSE(execution.failed());
                  EXPECT_FALSE(execution.server_restarted);
                  return true;
                });
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(seen, (std::vector<uint64_t>{3, 4, 5, 6}));
}

TEST(Seeds, VisitorEndsThem) {
  ForkServer server = start_fake({"exit", "1"});
  const Expected<uint64_t> count =
      run_seeds(server, {}, {1, 100}, [](const ExecutionRequest& request, const Execution& execution) {
        EXPECT_TRUE(execution.failed());
        return request.policy.seed < 5;
      });
  EXPECT_EQ(count, 5u);
}

TEST(Seeds, ServerThatCannotGoOnIsAnError) {
  ForkServer server = start_fake({"kill-server"});
  const Expected<uint64_t> count =
      run_seeds(server, {}, {1, 3}, [](const ExecutionRequest&, const Execution&) { return true; });
  EXPECT_FALSE(count);
}

}  // namespace
}  // namespace heddle
