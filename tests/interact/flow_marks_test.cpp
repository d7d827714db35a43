#include "interact/flow_marks.h"

#include <gtest/gtest.h>

#include "hand_graph.h"

namespace heddle::interact {
namespace {

std::vector<PointIndex> points_where(const Flow& flow, bool Point::* holds) {
  std::vector<PointIndex> points;
  for (PointIndex p = 0; p < flow.points.size(); ++p)
    if (flow.points[p].*holds) points.push_back(p);
  return points;
}

// 0: a ? 1 : 2, to 3, all one statement with nothing between 2 and 3 but a point of none; 4 is another.
TEST(FlowMarks, AStatementOfSeveralPointsStartsAndEndsOnce) {
  Flow flow = simple_flow({{1, 2}, {3}, {5}, {4}, {}, {3}});
  for (const PointIndex p : {0, 1, 2, 3}) flow.points[p].statement = 0;
  flow.points[5].statement = kNone;
  mark_starts_and_ends(flow, 0);
  flow.points[5].is_start = flow.points[5].is_end = false;
  EXPECT_EQ(points_where(flow, &Point::is_start), (std::vector<PointIndex>{0, 4}));
  EXPECT_EQ(points_where(flow, &Point::is_end), (std::vector<PointIndex>{3, 4}));
}

TEST(FlowMarks, AStatementThatIsALoopStartsWhereItIsEntered) {
  Flow flow = simple_flow({{0, 1}, {}});
  mark_starts_and_ends(flow, 0);
  EXPECT_EQ(points_where(flow, &Point::is_start), (std::vector<PointIndex>{0, 1}));
  EXPECT_EQ(points_where(flow, &Point::is_end), (std::vector<PointIndex>{0, 1}));
}

TEST(FlowMarks, ExceptionsPassThroughCallsThatDoNotWaitForThem) {
  // f throws; 1 in g calls f; 2 in h calls g and has a landing; 3 in i calls h.
  Flow flow = simple_flow({{}, {}, {}, {}, {}});
  flow.entries = {0, 1, 2, 3};
  for (const PointIndex p : {1, 2, 3}) {
    flow.points[p].procedure = p;
    flow.points[p].calls = {p - 1};
  }
  flow.points[0].throws = true;
  flow.points[2].landings = {4};
  flow.points[4].procedure = 2;
  spread_throws(flow);
  EXPECT_EQ(points_where(flow, &Point::throws), (std::vector<PointIndex>{0, 1}));
}

}  // namespace
}  // namespace heddle::interact
