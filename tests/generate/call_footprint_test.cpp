// What is read of a call that was made alone, on hand-written traces.
#include "generate/call_footprint.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle::generate {
namespace {

using trace::EventKind;
using trace::Trace;
using trace::TraceBuilder;

constexpr uint64_t kOperationSite = 100;

// Call sites from 100 on are those of operations; a yield marks the next call.
class ByNumber : public CallLocator {
 public:
  bool is_operation(const Trace& trace, uint32_t site) override {
    return trace.sites()[site].offset == operation_offset;
  }
  uint64_t site_key(const Trace& trace, uint32_t site) override { return trace.sites()[site].offset; }
  int64_t marked_call(const Trace& trace, const trace::EventRecord& event) override {
    if (event.kind != EventKind::kYield) return -1;
    int64_t before = 0;
    for (const trace::EventRecord& other : trace.events()) {
      if (&other == &event) return before;
      before += other.kind == EventKind::kYield ? 1 : 0;
    }
    return -1;
  }
  uint64_t operation_offset = 0;
};

CallFootprint read(const Trace& trace) {
  ByNumber locator;
  // The only context whose parent is the root is that of the harness calling operations.
  locator.operation_offset = trace.sites()[trace.contexts()[1].call_site].offset;
  return read_last_call(trace, locator);
}

TEST(CallFootprint, IsOfTheLastCallAndOfNothingAroundIt) {
  TraceBuilder builder;
  const auto x = builder.global(), y = builder.global(), z = builder.global();
  auto main = builder.main_thread();
  main.event(EventKind::kYield).call(kOperationSite).write(x).leave();
  main.event(EventKind::kYield).call(kOperationSite).read(y).leave();
  main.write(z);  // the harness
  const CallFootprint footprint = read(builder.build());
  ASSERT_EQ(footprint.accesses.size(), 1U);
  EXPECT_FALSE(footprint.accesses[0].writes);
}

TEST(CallFootprint, KnowsTheCriticalSectionOfEachAccess) {
  TraceBuilder builder;
  const auto x = builder.global(), m = builder.global();
  auto main = builder.main_thread();
  main.event(EventKind::kYield).call(kOperationSite);
  main.lock(m).read(x).unlock(m).lock(m).write(x).unlock(m).write(x).leave();
  const CallFootprint footprint = read(builder.build());
  ASSERT_EQ(footprint.accesses.size(), 3U);
  ASSERT_EQ(footprint.accesses[0].held.size(), 1U);
  ASSERT_EQ(footprint.accesses[1].held.size(), 1U);
  EXPECT_EQ(footprint.accesses[0].held[0].lock, footprint.accesses[1].held[0].lock);
  EXPECT_NE(footprint.accesses[0].held[0].section, footprint.accesses[1].held[0].section);
  EXPECT_TRUE(footprint.accesses[2].held.empty());
}

TEST(CallFootprint, SeesLocksInsideLocksWaitsAndWakes) {
  TraceBuilder builder;
  const auto a = builder.global(), b = builder.global(), c = builder.global();
  auto main = builder.main_thread();
  main.event(EventKind::kYield).call(kOperationSite);
  main.lock(a).lock(b).unlock(b).unlock(a).notify_one(c, 0).leave();
  const CallFootprint footprint = read(builder.build());
  EXPECT_EQ(footprint.nested.size(), 1U);
  EXPECT_EQ(footprint.wakes.size(), 1U);
  EXPECT_TRUE(footprint.waits.empty());
}

TEST(CallFootprint, TheSameCallCoversTheSame) {
  const auto call_twice = [](bool locked) {
    TraceBuilder builder;
    const auto x = builder.global(), m = builder.global();
    auto main = builder.main_thread();
    main.event(EventKind::kYield).call(kOperationSite);
    if (locked) main.lock(m);
    for (int i = 0; i < 3; ++i) main.write(x).at(7);
    if (locked) main.unlock(m);
    main.leave();
    return read(builder.build());
  };
  EXPECT_EQ(call_twice(true).signature(), call_twice(true).signature());
  EXPECT_NE(call_twice(true).signature(), call_twice(false).signature());
  EXPECT_EQ(call_twice(false).accesses.size(), 1U);
}

}  // namespace
}  // namespace heddle::generate
