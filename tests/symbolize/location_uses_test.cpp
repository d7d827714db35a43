#include "symbolize/location_uses.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

TEST(LocationUses, AreTheLastOfEachPlaceTheLastFirst) {
  trace::TraceBuilder b;
  auto main = b.main_thread();
  const auto object = main.allocate(16);
  const auto left = object.part(0, 8), right = object.part(8, 8);
  for (int i = 0; i < 3; ++i) main.write(left).at(1).read(left).at(2).write(right).at(3);
  const trace::Trace trace = b.build();

  LocationUses uses(trace);
  std::vector<std::pair<uint64_t, trace::EventKind>> found;
  for (const uint64_t i : uses.at(object.object, 0)) found.emplace_back(i, trace.events()[i].kind);
  const uint64_t end = trace.events().size();
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0], (std::pair{end - 2, trace::EventKind::kRead}));
  EXPECT_EQ(found[1], (std::pair{end - 3, trace::EventKind::kWrite}));
  EXPECT_EQ(found[2].second, trace::EventKind::kAlloc);
  ASSERT_EQ(uses.at(object.object, 8).size(), 1u);
  EXPECT_EQ(uses.at(object.object, 8)[0], end - 1);
  EXPECT_TRUE(uses.at(object.object, 4).empty());
  EXPECT_TRUE(uses.at(1000, 0).empty());
}

}  // namespace
}  // namespace heddle
