#include "report/causes.h"

#include <gtest/gtest.h>

#include "../symbolize/fake_symbolizer.h"
#include "report/interleaving.h"
#include "report/story.h"
#include "trace/trace_builder.h"

namespace heddle {
namespace {

using trace::Trace;
using trace::TraceBuilder;

// A client puts a job into a queue, a worker takes it and counts it, and main finds the count wrong.
class CausesTest : public testing::Test {
 protected:
  void work() {
    client_.write(queue_).at(10);                     // 6
    worker_.read(queue_).at(20).write(done_).at(21);  // 7, 8
    bystander_.write(other_).at(30);                  // 9
    main_.read(done_).at(40);                         // 10
  }

  TraceBuilder builder_;
  TraceBuilder::Location queue_ = builder_.global();
  TraceBuilder::Location done_ = builder_.global();
  TraceBuilder::Location other_ = builder_.global();
  TraceBuilder::Location mutex_ = builder_.global(40);
  TraceBuilder::Thread main_ = builder_.main_thread();
  TraceBuilder::Thread client_ = main_.fork();
  TraceBuilder::Thread worker_ = main_.fork();
  TraceBuilder::Thread bystander_ = main_.fork();
};

TEST_F(CausesTest, GoesBackOverHandOvers) {
  work();
  const Trace trace = builder_.build();
  const std::vector<Cause> causes = Causes(trace).of_end(main_.index());
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].read, 10u);
  EXPECT_EQ(causes[0].write, 8u);
  EXPECT_EQ(causes[1].read, 7u);
  EXPECT_EQ(causes[1].write, 6u);
}

TEST_F(CausesTest, AnOverwrittenValueWasSeenByNobody) {
  client_.write(done_);
  worker_.write(done_);
  main_.read(done_);
  const Trace trace = builder_.build();
  const std::vector<Cause> causes = Causes(trace).of_end(main_.index());
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(trace.events()[causes[0].write].thread, worker_.index());
}

TEST_F(CausesTest, ASectionBeginsWhereItsLockIsTaken) {
  client_.write(other_).write(queue_);             // 6, 7
  worker_.read(other_).lock(mutex_).read(queue_);  // 8 to 10
  worker_.read(queue_).write(done_);               // 11, 12
  const Trace trace = builder_.build();
  const std::vector<Cause> causes = Causes(trace).of_section(12);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].read, 10u) << "where it first saw it";
  EXPECT_EQ(causes[0].write, 7u);
}

TEST_F(CausesTest, ThreadsThatLedToAFailureHaveColumns) {
  work();
  // Those who come later, and use what the failing thread used, are not its cause.
  std::vector<TraceBuilder::Thread> later;
  for (int i = 0; i < 3; ++i) later.push_back(main_.fork());
  for (TraceBuilder::Thread& thread : later) thread.read(done_).at(50).write(other_).at(51);
  builder_.outcome(trace::OutcomeKind::kExitCode, main_, "");
  const Trace trace = builder_.build();
  FakeSymbolizer symbolizer;
  symbolizer.function("test", 1, 60);
  ReportContext context(trace, symbolizer);
  const std::optional<FailureStory> story = tell_failure(context);
  ASSERT_TRUE(story);
  const Interleaving shown = select_interleaving(context, *story, {.rows = 40, .threads = 3});
  EXPECT_EQ(shown.threads, (std::vector<uint32_t>{main_.index(), client_.index(), worker_.index()}));
}

}  // namespace
}  // namespace heddle
