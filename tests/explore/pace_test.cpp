#include "explore/pace.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

using std::chrono::milliseconds;

TEST(Pace, AnExecutionSeemsToHangIfItRunsFarLongerThanTheOthers) {
  Pace pace;
  for (const int ran : {100, 200, 300}) pace.add(milliseconds(ran));
  EXPECT_FALSE(pace.seems_to_hang(milliseconds(1900)));
  EXPECT_TRUE(pace.seems_to_hang(milliseconds(2100)));
}

TEST(Pace, ShortExecutionsDoNotHangHoweverShortTheOthersAre) {
  Pace pace;
  pace.add(milliseconds(1));
  EXPECT_FALSE(pace.seems_to_hang(milliseconds(900)));
  EXPECT_TRUE(pace.seems_to_hang(milliseconds(1100)));
}

TEST(Pace, TheFirstExecutionHasNothingToBeComparedWith) {
  EXPECT_FALSE(Pace().seems_to_hang(milliseconds(900)));
  EXPECT_TRUE(Pace().seems_to_hang(milliseconds(1100)));
}

}  // namespace
}  // namespace heddle
