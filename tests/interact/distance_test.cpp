#include "interact/distance.h"

#include <gtest/gtest.h>

#include "hand_graph.h"

namespace heddle::interact {
namespace {

TEST(Distances, CountEdgesToTheNearestTarget) {
  const Flow flow = simple_flow({{1, 2}, {3}, {4}, {4}, {}, {4}});
  const DistanceFinder finder(flow);
  const Distances distances = finder.to({3, 4});
  EXPECT_EQ(distances.from(0), 2u);
  EXPECT_EQ(distances.from(3), 0u);
  EXPECT_EQ(finder.to({1}).from(2), std::nullopt);
}

// main: 0 calls f, 1, 2 calls f, 3 <target>.  f: 4, 5.
class TwoCalls : public ::testing::Test {
 protected:
  TwoCalls() : flow_(simple_flow({{1}, {2}, {3}, {}, {5}, {}})) {
    flow_.entries = {0, 4};
    flow_.points[0].calls = flow_.points[2].calls = {1};
    flow_.points[4].procedure = flow_.points[5].procedure = 1;
  }
  Flow flow_;
};

TEST_F(TwoCalls, PassThroughCallees) {
  const DistanceFinder finder(flow_);
  const Distances distances = finder.to({3});
  EXPECT_EQ(distances.from(2), 3u) << "to the entry, through it, and back";
  EXPECT_EQ(distances.from(0), 7u);
}

TEST_F(TwoCalls, ReturnToTheNearestCallerUnlessTheCallIsKnown) {
  const DistanceFinder finder(flow_);
  const Distances distances = finder.to({3});
  EXPECT_EQ(distances.from(4), 2u);
  EXPECT_EQ(distances.from(4, {2}), 2u);
  EXPECT_EQ(distances.from(4, {0}), 6u);
  EXPECT_EQ(distances.from(4, {}), std::nullopt) << "no call is open";
}

}  // namespace
}  // namespace heddle::interact
