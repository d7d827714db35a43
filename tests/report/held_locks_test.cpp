#include "report/held_locks.h"

#include <gtest/gtest.h>

#include "trace/trace_builder.h"

namespace heddle {
namespace {

TEST(HeldLocks, AreThoseTakenAndNotReleasedInAnyOrder) {
  trace::TraceBuilder b;
  const auto x = b.global(), outer = b.global(), inner = b.global(), shared = b.global();
  auto main = b.main_thread();
  main.lock(outer).lock(inner);
  main.unlock(outer).read_lock(shared).write(x);
  const uint64_t with_two = b.tables().events.size() - 1;
  main.unlock(inner).write(x);
  const uint64_t with_one = b.tables().events.size() - 1;
  main.read_unlock(shared).write(x);
  const uint64_t with_none = b.tables().events.size() - 1;
  const trace::Trace trace = b.build();

  HeldLocks locks(trace);
  const auto is = [](const LockAtEvent& held, const trace::TraceBuilder::Location& lock, bool exclusive) {
    return held.object == lock.object && held.offset == lock.offset && held.exclusive == exclusive;
  };
  const std::vector<LockAtEvent> two = locks.at(with_two);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_TRUE(is(two[0], inner, true));
  EXPECT_TRUE(is(two[1], shared, false));
  const std::vector<LockAtEvent> one = locks.at(with_one);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_TRUE(is(one[0], shared, false));
  EXPECT_EQ(trace.events()[one[0].event].kind, trace::EventKind::kReadLock);
  EXPECT_TRUE(locks.at(with_none).empty());
  EXPECT_TRUE(locks.at(trace.events().size()).empty());
}

TEST(HeldLocks, AreOfTheThreadAndTakenBeforeTheEvent) {
  trace::TraceBuilder b;
  const auto x = b.global(), m = b.global();
  auto main = b.main_thread();
  auto child = main.fork();
  main.lock(m);
  const uint64_t taking = b.tables().events.size() - 1;
  child.write(x);
  const uint64_t of_another = b.tables().events.size() - 1;
  main.try_lock(b.global()).failed();
  main.write(x);
  const uint64_t inside = b.tables().events.size() - 1;
  const trace::Trace trace = b.build();

  HeldLocks locks(trace);
  EXPECT_TRUE(locks.at(taking).empty());
  EXPECT_TRUE(locks.at(of_another).empty());
  EXPECT_EQ(locks.at(inside).size(), 1u);
}

}  // namespace
}  // namespace heddle
