#include "execute/learning.h"

#include "fake_server.h"

namespace heddle {
namespace {

TEST(Learning, ReachesTheFixedPoint) {
  // The fake runtime reveals one more point per known point, three in all.
  ForkServer server = start_fake({"ok"});
  const Expected<LearningResult> result = learn_points(server, {.quiet_executions = 4});
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->settled);
  EXPECT_EQ(server.points().size(), 3u);
  EXPECT_EQ(result->executions, 3u + 4u);
  EXPECT_EQ(result->longest_steps, 1u);
}

TEST(Learning, IsBounded) {
  ForkServer server = start_fake({"ok"});
  const Expected<LearningResult> result = learn_points(server, {.max_executions = 2});
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->settled);
  EXPECT_EQ(result->executions, 2u);
}

TEST(Learning, GoesOnOverFailingExecutions) {
  ForkServer server = start_fake({"crash"});
  const Expected<LearningResult> result = learn_points(server);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->settled);
  EXPECT_EQ(server.points().size(), 3u);
}

TEST(Learning, StopsAtAHang) {
  ForkServer server = start_fake({"hang"});
  const Expected<LearningResult> result = learn_points(server, {.timeout = std::chrono::milliseconds(50)});
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->settled);
  EXPECT_EQ(result->executions, 1u);
}

}  // namespace
}  // namespace heddle
