// Under the default schedule, who runs must not depend on how many steps somebody made before it mattered, or
// on what lies where in memory: two versions of a program are compared under it.
#include <gtest/gtest.h>

#include "execute/fork_server.h"

namespace heddle {
namespace {

class Turns : public testing::TestWithParam<const char*> {};

TEST_P(Turns, AreTakenWhereTheProgramLetsOthersGoFirst) {
  Expected<ForkServer> server =
      ForkServer::start({.argv = {std::string(HEDDLE_RACE_PROGRAMS) + "/turns", GetParam()}});
  ASSERT_TRUE(server) << server.error().message;
  ExecutionRequest request;
  request.policy = {.kind = trace::PolicyKind::kNonpreemptive};
  const Expected<Execution> execution = server->run(request);
  ASSERT_TRUE(execution) << execution.error().message;
  EXPECT_EQ(execution->outcome.kind, trace::OutcomeKind::kOk);
}

INSTANTIATE_TEST_SUITE_P(AfterManySteps, Turns, testing::Values("alone", "blocked"));
INSTANTIATE_TEST_SUITE_P(BesideWhatIsLookedAt, Turns, testing::Values("spinning"));

}  // namespace
}  // namespace heddle
