#include "trace/names.h"

#include <gtest/gtest.h>

#include "trace/hash.h"
#include "trace/thread_tree.h"

namespace heddle::trace {
namespace {

TEST(Names, EveryKindHasItsWord) {
  EXPECT_EQ(to_text(EventKind::kRead), "read");
  EXPECT_EQ(to_text(EventKind::kExit), "exit");
  EXPECT_EQ(to_text(OutcomeKind::kLostWakeup), "lost-wakeup");
  EXPECT_EQ(to_text(PolicyKind::kRoundRobin), "round-robin");
  EXPECT_EQ(to_text(ObjectKind::kUnknown), "unknown");
  EXPECT_EQ(to_text(ObjectKind::kMapping), "mapping");
  EXPECT_EQ(to_text(MemoryOrder::kSeqCst), "seq-cst");
  EXPECT_EQ(to_text(StepKind::kWake), "wake");
  EXPECT_EQ(to_text(PointKind::kStack), "stack");
  EXPECT_EQ(to_text(WaitKind::kInput), "input");
  EXPECT_EQ(to_text(TableId::kEvents), "events");
}

TEST(Names, ValuesOutsideTheEnumerationsAreUnknown) {
  EXPECT_EQ(to_text(EventKind::kCount), "unknown");
  EXPECT_EQ(to_text(static_cast<EventKind>(255)), "unknown");
  EXPECT_EQ(to_text(static_cast<OutcomeKind>(0xffffffff)), "unknown");
  EXPECT_EQ(to_text(static_cast<WaitKind>(14)), "unknown");
}

TEST(Names, OutcomesAreReadBack) {
  for (uint32_t i = 0; i < static_cast<uint32_t>(OutcomeKind::kCount); ++i) {
    EXPECT_EQ(parse_outcome_kind(to_text(OutcomeKind{i})), OutcomeKind{i});
  }
  EXPECT_EQ(parse_outcome_kind("unknown"), std::nullopt);
  EXPECT_EQ(parse_outcome_kind(""), std::nullopt);
}

ThreadRecord child_of(uint32_t parent, uint32_t ordinal) {
  ThreadRecord record{};
  record.parent = parent;
  record.ordinal = ordinal;
  return record;
}

TEST(ThreadPath, FollowsTheOrderOfCreation) {
  const ThreadRecord threads[] = {{}, child_of(0, 1), child_of(0, 2), child_of(1, 1), child_of(3, 12)};
  EXPECT_EQ(thread_path(threads, 0), "main");
  EXPECT_EQ(thread_path(threads, 1), "main/1");
  EXPECT_EQ(thread_path(threads, 2), "main/2");
  EXPECT_EQ(thread_path(threads, 4), "main/1/1/12");
}

TEST(ThreadPath, OfABrokenTableEnds) {
  const ThreadRecord threads[] = {{}, child_of(2, 1), child_of(1, 2)};
  EXPECT_EQ(thread_path(threads, 1), "main/?/1");
  EXPECT_EQ(thread_path(threads, 2), "main/?/1/2");
  EXPECT_EQ(thread_path(threads, 9), "main/?");
}

TEST(ThreadTree, InternsAncestorsFirst) {
  ThreadTree tree;
  EXPECT_EQ(tree.intern("main"), 0u);
  EXPECT_EQ(tree.intern("main/1/2"), 2u);
  EXPECT_EQ(tree.intern("main/1"), 1u);
  EXPECT_EQ(tree.intern("main/2"), 3u);
  EXPECT_EQ(tree.child(1, 2), 2u);
  EXPECT_EQ(tree.size(), 4u);
  EXPECT_EQ(tree.name(2), "main/1/2");
}

TEST(ThreadTree, RefusesWhatIsNoPathAndAddsNothing) {
  ThreadTree tree;
  for (const char* text : {"", "mai", "mainly", "main/", "main/0", "main/01", "main//1", "main/1/", "main/-1",
                           "main/x", "main/4294967296", "main/1/x", "/1", " main"}) {
    EXPECT_EQ(tree.intern(text), std::nullopt) << text;
  }
  EXPECT_EQ(tree.size(), 1u);
}

TEST(Hash, IsThePublishedFnv1a) {
  // Vectors from the authors' page on the algorithm.
  static_assert(fnv1a("") == 0xcbf29ce484222325u);
  static_assert(fnv1a("a") == 0xaf63dc4c8601ec8cu);
  static_assert(fnv1a("foobar") == 0x85944171f73967e8u);
  static_assert(fnv1a("bar", 3, fnv1a("foo")) == fnv1a("foobar"));
  static_assert(module_key("/usr/lib/libc.so.6") == fnv1a("libc.so.6"));
  static_assert(module_key("prog") == fnv1a("prog"));
}

}  // namespace
}  // namespace heddle::trace
