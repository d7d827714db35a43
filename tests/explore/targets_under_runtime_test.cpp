// Targets that come from a trace, shown by executions under the real runtime.
#include <gtest/gtest.h>

#include "execute/fork_server.h"
#include "execute/learning.h"
#include "explore/exploration.h"
#include "explore/preferred_switches.h"
#include "explore/targeted_search.h"

namespace heddle {
namespace {

// As another engine would: from a site of a trace to the key of its place.
class TargetsUnderRuntime : public testing::TestWithParam<const char*> {
 protected:
  TargetsUnderRuntime() { EXPECT_TRUE(learn_points(server_)); }

  static ForkServer start() {
    return std::move(*ForkServer::start(
        {.argv = {std::string(HEDDLE_STATEMENT_PROGRAMS) + "/" + GetParam() + "1/statements"}}));
  }

  // Of the first access of that kind on that line of statement_program.cpp, in the default execution.
  uint64_t place(const std::string& operation, int line) {
    const Expected<Execution> execution = server_.run(observer_.request_for(Plan{}, Detail::kOperations));
    table_.begin(execution->trace);
    const PlaceNames names(execution->trace);
    for (const trace::EventRecord& event : execution->trace.events()) {
      const uint64_t key = table_.key(event);
      HapSet sets;
      sets.add({key, key, false});
      const Statement statement = table_.describe(sets)[key];
      if (statement.operation == operation && statement.at.line == static_cast<uint32_t>(line) &&
          statement.at.file.ends_with("statement_program.cpp"))
        return names.place_of(execution->trace, event);
    }
    ADD_FAILURE() << "there is no " << operation << " on line " << line;
    return 0;
  }

  ExplorationResult explore(Strategy& strategy) {
    const ExplorationHooks hooks{
        .execute = [this](const ExecutionRequest& request) -> Expected<std::optional<Execution>> {
          if (executions_ >= 1000) return std::nullopt;
          return *server_.run(request);
        },
        .visit =
            [this](const ExecutionRequest&, const Execution& execution) {
              ++executions_;
              EXPECT_EQ(execution.outcome.kind, trace::OutcomeKind::kOk);
              return true;
            },
        .exchange_points = [](auto points) { return points; },
        .on_divergence = [](const Plan&) { return false; }};
    return *heddle::explore(server_, observer_, strategy, {}, hooks);
  }

  const std::unique_ptr<Symbolizer> symbolizer_ = make_symbolizer();
  const SourceTree sources_{"/"};
  StatementTable table_{*symbolizer_, sources_};
  TraceObserver observer_;
  ForkServer server_ = start();
  uint64_t executions_ = 0;
};

TEST_P(TargetsUnderRuntime, AreShown) {
  const uint64_t read = place("read", 23), write = place("write", 23), others_write = place("write", 20);
  const Target lost_update{read, others_write, write, true};
  const Target impossible{write, others_write, read, true};
  TargetedSearch targeted({lost_update, impossible});
  const ExplorationResult result = explore(targeted);
  EXPECT_TRUE(result.is_over);
  EXPECT_EQ(result.divergences, 0u);
  EXPECT_FALSE(targeted.results()[1].shown_by);
  EXPECT_TRUE(targeted.is_exhausted());
  ASSERT_TRUE(targeted.results()[0].shown_by);
  const Plan& plan = *targeted.results()[0].shown_by;
  const Expected<Execution> again = server_.run(observer_.request_for(plan, Detail::kOperations));
  EXPECT_TRUE(look_for(lost_update, observer_.observe(*again, Detail::kOperations)).shown);

  executions_ = 0;
  TargetedSearch only({lost_update});
  explore(only);
  EXPECT_TRUE(only.results()[0].shown_by);
  EXPECT_LE(executions_, 3u);
}

TEST_P(TargetsUnderRuntime, ArePlacesToSwitchAt) {
  PreemptionBoundedSearch anywhere(1);
  explore(anywhere);
  const uint64_t all = executions_;
  executions_ = 0;
  PreferredSwitchSearch around(1, {place("write", 23)});
  const ExplorationResult result = explore(around);
  EXPECT_TRUE(result.is_over);
  EXPECT_GT(executions_, 1u);
  EXPECT_LT(executions_, all);
}

INSTANTIATE_TEST_SUITE_P(Compilers, TargetsUnderRuntime, testing::Values("gcc", "clang"));

}  // namespace
}  // namespace heddle
