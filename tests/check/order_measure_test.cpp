#include "check/order_measure.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

CheckFinding finding(const std::string& kind, FindingStatus status, std::vector<std::string> tests) {
  CheckFinding result;
  result.tests = std::move(tests);
  result.found.finding.kind = kind;
  result.found.finding.status = status;
  return result;
}

TEST(OrderMeasure, CountsDistinctRegressionRacesByTheFirstTestThatShowsThem) {
  std::vector<CheckFinding> findings;
  findings.push_back(finding("race", FindingStatus::kNew, {"c", "a"}));
  findings.push_back(finding("use-after-free", FindingStatus::kNew, {"d"}));
  findings.push_back(finding("race", FindingStatus::kKnown, {"b"}));
  findings.push_back(finding("exit-code", FindingStatus::kNew, {"b"}));
  const OrderMeasure measure = measure_order(findings, {"a", "b", "c", "d"}, 2);
  EXPECT_EQ(measure.races, 2u);
  EXPECT_EQ(measure.races_of_selected, 1u);
  EXPECT_DOUBLE_EQ(measure.apfd, 100 * (1 - (1.0 + 4) / (4 * 2) + 1.0 / 8));
  EXPECT_DOUBLE_EQ(measure.apfd_of_selected, 100 * (1 - 1.0 / 2 + 1.0 / 4));
}

TEST(OrderMeasure, WithoutRacesThereIsNothingToMeasure) {
  const OrderMeasure measure = measure_order({}, {"a"}, 1);
  EXPECT_EQ(measure.races, 0u);
  EXPECT_EQ(measure.races_of_selected, 0u);
}

}  // namespace
}  // namespace heddle
