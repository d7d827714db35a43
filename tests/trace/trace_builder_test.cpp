#include "trace/trace_builder.h"

#include <gtest/gtest.h>

#include "trace/names.h"

namespace heddle::trace {
namespace {

std::string kinds_of(const Trace& trace) {
  std::string text;
  for (const EventRecord& event : trace.events()) {
    text +=
        (text.empty() ? "" : ", ") + trace.thread_name(event.thread) + ' ' + std::string(to_text(event.kind));
  }
  return text;
}

TEST(TraceBuilder, WritesWhatItIsTold) {
  TraceBuilder b;
  auto x = b.global(), m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  child.lock(m).write(x).at(10).unlock(m);
  main.read(x).at(20).join(child);
  const Trace trace = b.build();

  EXPECT_EQ(kinds_of(trace),
            "main fork, main/1 thread-begin, main/1 lock, main/1 write, main/1 unlock, main read, "
            "main/1 thread-end, main join");
  const EventRecord& write = trace.events()[3];
  const EventRecord& read = trace.events()[5];
  EXPECT_EQ(trace.sites()[write.site].offset, 10u);
  EXPECT_EQ(trace.sites()[read.site].offset, 20u);
  EXPECT_EQ(write.object, read.object);
  EXPECT_EQ(write.offset, read.offset);
  EXPECT_EQ(write.size, 8u);
  EXPECT_NE(trace.events()[2].offset, write.offset);
  EXPECT_EQ(trace.events()[7].peer, 1u);
}

TEST(TraceBuilder, EqualNumbersAreEqualSitesAndOthersDiffer) {
  TraceBuilder b;
  auto x = b.global();
  b.main_thread().read(x).at(5).write(x).at(5).read(x).read(x);
  const Trace trace = b.build();
  const auto events = trace.events();
  EXPECT_EQ(events[0].site, events[1].site);
  EXPECT_NE(events[1].site, events[2].site);
  EXPECT_NE(events[2].site, events[3].site);
  EXPECT_NE(events[3].site, 0u);
}

TEST(TraceBuilder, StepsAreTheRunsOfTheEvents) {
  TraceBuilder b;
  auto x = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  child.read(x).read(x);
  main.write(x);
  const Trace trace = b.build();
  ASSERT_EQ(trace.steps().size(), 3u);
  EXPECT_EQ(trace.steps()[0].count, 1u);
  EXPECT_EQ(trace.steps()[1].thread, child.index());
  EXPECT_EQ(trace.steps()[1].count, 3u);
  EXPECT_EQ(trace.steps()[2].thread, 0u);
  EXPECT_EQ(trace.outcome().steps, 5u);
}

TEST(TraceBuilder, WaitReleasesTheMutexAndWakeTakesItAgain) {
  TraceBuilder b;
  auto m = b.global(), c = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  child.lock(m).cond_wait(c, m).at(7);
  main.notify_one(c);
  child.cond_wake(c, m, main).at(8).cond_wait(c, m).cond_time_out(c, m).unlock(m);
  const Trace trace = b.build();
  EXPECT_EQ(kinds_of(trace),
            "main fork, main/1 thread-begin, main/1 lock, main/1 cond-wait, main/1 unlock, main notify-one, "
            "main/1 cond-wake, main/1 lock, main/1 cond-wait, main/1 unlock, main/1 cond-wake, main/1 lock, "
            "main/1 unlock");
  EXPECT_EQ(trace.events()[3].site, trace.events()[4].site);
  EXPECT_EQ(trace.events()[6].peer, main.index() + 1);
  EXPECT_EQ(trace.events()[10].peer, 0u);
  EXPECT_TRUE(trace.events()[10].flags & event_flag::kTimedOut);
}

TEST(TraceBuilder, CallsMakeATreeOfContexts) {
  TraceBuilder b;
  auto x = b.global();
  auto main = b.main_thread();
  main.call(1).call(2).read(x).leave().read(x).call(2).read(x).leave().leave().read(x);
  const Trace trace = b.build();
  const auto events = trace.events();
  EXPECT_EQ(events[0].context, events[2].context);
  EXPECT_EQ(trace.contexts()[events[0].context].parent, events[1].context);
  EXPECT_EQ(trace.sites()[trace.contexts()[events[0].context].call_site].offset, 2u);
  EXPECT_EQ(events[3].context, 0u);
}

TEST(TraceBuilder, KnowsHeapStackAndForkSites) {
  TraceBuilder b;
  auto main = b.main_thread();
  auto node = main.allocate(24);
  main.at(3).write(node.part(8, 4)).free(node);
  auto child = main.fork();
  main.at(4);
  auto local = b.stack(child, 4), other = b.stack(child, 16);
  child.write(local).read(other);
  const Trace trace = b.build();
  const ObjectRecord& heap = trace.objects()[node.object];
  EXPECT_EQ(heap.kind, ObjectKind::kHeap);
  EXPECT_EQ(heap.size, 24u);
  EXPECT_EQ(trace.sites()[heap.site].offset, 3u);
  EXPECT_EQ(trace.events()[1].offset, 8u);
  EXPECT_EQ(trace.events()[1].size, 4u);
  EXPECT_EQ(trace.sites()[trace.threads()[1].create_site].offset, 4u);
  EXPECT_EQ(trace.objects()[local.object].owner, child.index());
  EXPECT_EQ(local.object, other.object);
  EXPECT_LE(local.offset + local.size, kStackTop);
  EXPECT_LE(other.offset + other.size, local.offset);
}

TEST(TraceBuilderDeathTest, RefusesEventsAfterTheEndOfAThread) {
  TraceBuilder b;
  auto main = b.main_thread();
  main.end();
  EXPECT_EXIT(main.read(b.global()), testing::ExitedWithCode(3), "ended");
}

}  // namespace
}  // namespace heddle::trace
