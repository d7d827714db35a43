// Lost wake-ups of real programs: who is blamed, and that one bug is one finding whatever schedule shows it.
#include <nlohmann/json.hpp>

#include "tool.h"

namespace heddle {
namespace {

class LostWakeup : public ToolTest {
 protected:
  // All findings of 500 random schedules of a program in tests/programs/conditions.
  nlohmann::json findings_of(const std::string& name) {
    const ToolResult built =
        shell("heddle c++ -std=c++20 -O1 " HEDDLE_PROGRAMS "/conditions/" + name + ".cpp -o program");
    EXPECT_EQ(built.exit_code, 0) << built.err;
    report_ = shell("heddle run --seeds 1-500 --keep-going --json result.json -- ./program").err;
    return nlohmann::json::parse(read("result.json"))["findings"];
  }

  void expect_in_report(const std::string& text) const {
    EXPECT_NE(report_.find(text), std::string::npos) << text << "\n\n" << report_;
  }

  std::string report_;
};

TEST_F(LostWakeup, NotifyThatWentToTheWrongWaiter) {
  const auto findings = findings_of("wrong_waiter");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0]["message"], "main/1 can never be woken: the last notify woke main/2 instead");
  expect_in_report("`stop_early` has changed since main/1 looked at it:");
  expect_in_report("main/2 had no use for it and waited again");
}

TEST_F(LostWakeup, NotifyThatCameBeforeTheWait) {
  const auto findings = findings_of("lost_wakeup");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0]["message"], "main/1 can never be woken: the notify of main came too early");
  expect_in_report("main notified too early, when main/1 did not wait yet");
}

TEST_F(LostWakeup, IdleThreadsAreNotBlamed) {
  const auto findings = findings_of("idle_workers");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0]["message"].get<std::string>().starts_with("main can never be woken:"));
  expect_in_report("waits on condition `work`");
}

TEST_F(LostWakeup, OneBugIsOneFindingWhoeverIsItsVictim) {
  EXPECT_EQ(findings_of("one_condition_for_two").size(), 1u);
  EXPECT_EQ(findings_of("notify_one_for_all").size(), 1u);
}

}  // namespace
}  // namespace heddle
