#include "check/repetition.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::Trace;
using trace::TraceBuilder;

// Two threads that write one variable so often, the last time at this site.
Trace writes(int count, uint32_t last_site = 2, bool child_first = false) {
  TraceBuilder b;
  const auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  if (child_first) child.write(x).at(1);
  for (int i = 0; i < count; ++i) main.write(x).at(1);
  child.write(x).at(last_site);
  return b.build();
}

TEST(Repetition, OfTheSameHasNoDifference) {
  EXPECT_EQ(first_difference(writes(3), writes(3)), std::nullopt);
  EXPECT_EQ(first_difference(Trace(), Trace()), std::nullopt);
}

TEST(Repetition, DiffersInPlacesThreadsAndLength) {
  const uint64_t last = writes(3).events().size() - 1;
  EXPECT_EQ(first_difference(writes(3), writes(3, 7)), last);
  EXPECT_EQ(first_difference(writes(3), writes(3, 2, true)), last - 3);
  EXPECT_EQ(first_difference(writes(3), writes(4)), last);
  EXPECT_EQ(first_difference(Trace(), writes(1)), 0u);
}

}  // namespace
}  // namespace heddle
