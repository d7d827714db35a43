#include "report/finding_tally.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

Finding finding(const std::string& fingerprint, const std::string& message) {
  Finding result;
  result.fingerprint = fingerprint;
  result.message = message;
  return result;
}

TEST(FindingTally, KeepsTheFirstOfEachFingerprintAndCountsTheRest) {
  FindingTally tally;
  ASSERT_NE(tally.add(finding("a", "first")), nullptr);
  EXPECT_EQ(tally.add(finding("a", "again")), nullptr);
  Finding* second = tally.add(finding("b", "other"));
  ASSERT_NE(second, nullptr);
  second->seed = 17;
  EXPECT_EQ(tally.add(finding("a", "and again")), nullptr);

  ASSERT_EQ(tally.findings().size(), 2u);
  EXPECT_EQ(tally.findings()[0].message, "first");
  EXPECT_EQ(tally.findings()[0].occurrences, 3u);
  EXPECT_EQ(tally.findings()[1].occurrences, 1u);
  EXPECT_EQ(tally.findings()[1].seed, 17u);
  EXPECT_EQ(tally.occurrences(), 4u);
}

}  // namespace
}  // namespace heddle
