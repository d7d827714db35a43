#include <gtest/gtest.h>

#include "facts_builder.h"
#include "program/analyses.h"

namespace heddle::program {
namespace {

class LockedRegions : public testing::Test {
 protected:
  LockedRegions() : m_(unit_.global("m", 40)), n_(unit_.global("n", 40)) {}

  std::vector<LockedRegion> find(const std::string& function) {
    const Program program = unit_.program();
    const PointsTo points_to(program);
    std::vector<LockedRegion> result;
    for (LockedRegion& region : locked_regions(program, points_to)) {
      if (region.function == program.find(function)[0]) result.push_back(std::move(region));
    }
    return result;
  }

  UnitFacts unit_;
  uint32_t m_;
  uint32_t n_;
};

using Nodes = std::vector<uint32_t>;

TEST_F(LockedRegions, ExplicitCallsOfTwoLocksMayCross) {
  FunctionBuilder f(unit_, "f");
  auto call = [&](const std::string& name, uint32_t lock) {
    f.node(name);
    f.call(name, {f.symbol(lock)});
  };
  call("pthread_mutex_lock", m_);     // 0
  call("pthread_rwlock_rdlock", n_);  // 1
  call("pthread_mutex_unlock", m_);   // 2
  call("pthread_rwlock_unlock", n_);  // 3
  f.node("after");
  f.ret();
  f.done();
  const auto regions = find("f");
  ASSERT_EQ(regions.size(), 2u);
  EXPECT_EQ(regions[0].nodes, (Nodes{1, 2}));
  EXPECT_FALSE(regions[0].is_shared || regions[0].is_conditional);
  EXPECT_EQ(regions[1].nodes, (Nodes{2, 3}));
  EXPECT_TRUE(regions[1].is_shared);
}

TEST_F(LockedRegions, AGuardHoldsUntilItsDestructorAlsoWhenAnExceptionPasses) {
  FunctionBuilder f(unit_, "f");
  f.node("lock_guard");
  const ValueId guard = f.local(8, "guard");
  f.call("_ZNSt10lock_guardISt5mutexEC2ERS0_", {guard, f.symbol(m_)});
  f.node("work");
  f.call("work");
  const uint32_t next = f.block(), pad = f.block();
  f.edge(next, "");
  f.edge(pad, "", true);
  f.at(next);
  f.node("}");
  f.call("_ZNSt10lock_guardISt5mutexED2Ev", {guard});
  f.node("return");
  f.ret();
  f.at(pad);
  f.node("cleanup");
  f.call("_ZNSt10lock_guardISt5mutexED2Ev", {guard});
  f.node("resume");
  f.raise(f.constant());
  f.done();
  const auto regions = find("f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].nodes, (Nodes{1, 2, 4}));
  EXPECT_FALSE(regions[0].is_conditional);
  ASSERT_EQ(regions[0].locks.size(), 1u);
}

TEST_F(LockedRegions, ADeferredUniqueLockIsHeldFromItsLockToItsUnlock) {
  FunctionBuilder f(unit_, "f");
  f.node("construct");
  const ValueId guard = f.local(16, "guard");
  f.call("_ZNSt11unique_lockISt5mutexEC2ERS0_St12defer_lock_t", {guard, f.symbol(m_)});
  f.node("before");
  f.constant();
  f.node("lock");
  f.call("_ZNSt11unique_lockISt5mutexE4lockEv", {guard});
  f.node("inside");
  f.constant();
  f.node("unlock");
  f.call("_ZNSt11unique_lockISt5mutexE6unlockEv", {guard});
  f.node("after");
  f.ret();
  f.done();
  const auto regions = find("f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].nodes, (Nodes{3, 4}));
}

// if (c) lock(); x; if (c) unlock(); return
TEST_F(LockedRegions, WhatIsHeldOnSomePathsOnlyIsConditional) {
  FunctionBuilder f(unit_, "f", 1);
  const uint32_t lock = f.block(), work = f.block(), unlock = f.block(), after = f.block();
  f.node("c1");
  f.branch(f.parameter(0), lock, work);
  f.at(lock);
  f.node("lock");
  f.call("std::mutex::lock", {f.symbol(m_)});
  f.jump(work);
  f.at(work);
  f.node("x");
  f.branch(f.parameter(0), unlock, after);
  f.at(unlock);
  f.node("unlock");
  f.call("std::mutex::unlock", {f.symbol(m_)});
  f.jump(after);
  f.at(after);
  f.node("return");
  f.ret();
  f.done();
  const auto regions = find("f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].nodes, (Nodes{2, 3, 4}));
  EXPECT_TRUE(regions[0].is_conditional);
}

TEST_F(LockedRegions, AnEarlyUnlockOnOnePathDoesNotMakeTheOtherConditional) {
  FunctionBuilder f(unit_, "f", 1);
  const uint32_t early = f.block(), rest = f.block();
  f.node("lock");
  f.call("mtx_lock", {f.symbol(m_)});
  f.node("c");
  f.branch(f.parameter(0), early, rest);
  f.at(early);
  f.node("unlock early");
  f.call("mtx_unlock", {f.symbol(m_)});
  f.node("return early");
  f.ret();
  f.at(rest);
  f.node("work");
  f.constant();
  f.node("unlock");
  f.call("mtx_unlock", {f.symbol(m_)});
  f.ret();
  f.done();
  const auto regions = find("f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].nodes, (Nodes{1, 2, 4, 5}));
  EXPECT_FALSE(regions[0].is_conditional);
}

TEST_F(LockedRegions, AClassOfTheProgramThatLocksInItsConstructorIsAGuard) {
  FunctionBuilder constructor(unit_, "Locker::Locker", 2);
  constructor.store(constructor.parameter(0), constructor.parameter(1));
  constructor.call("pthread_mutex_lock", {constructor.parameter(1)});
  constructor.ret();
  constructor.done();
  FunctionBuilder destructor(unit_, "Locker::~Locker", 1);
  destructor.call("pthread_mutex_unlock", {destructor.load(destructor.parameter(0))});
  destructor.ret();
  destructor.done();
  for (const auto& [name, lock] : {std::pair{"f", m_}, std::pair{"g", n_}}) {
    FunctionBuilder f(unit_, name);
    f.node("Locker");
    const ValueId guard = f.local(8, "guard");
    f.call("Locker::Locker", {guard, f.symbol(lock)});
    f.node("work");
    f.constant();
    f.node("}");
    f.call("Locker::~Locker", {guard});
    f.node("return");
    f.ret();
    f.done();
  }
  const auto regions = find("f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].nodes, (Nodes{1, 2}));
  EXPECT_EQ(regions[0].locks.size(), 1u) << "not g's lock";
}

TEST_F(LockedRegions, ATryLockIsConditional) {
  FunctionBuilder f(unit_, "f");
  f.node("try");
  f.call("pthread_mutex_trylock", {f.symbol(m_)});
  f.node("work");
  f.ret();
  f.done();
  const auto regions = find("f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_TRUE(regions[0].is_conditional);
}

TEST_F(LockedRegions, WhatHasNoUnlockIsNoLock) {
  FunctionBuilder f(unit_, "f");
  f.node("weak.lock()");
  f.call("_ZNKSt8weak_ptrIiE4lockEv", {f.local(16), f.symbol(m_)});
  f.node("work");
  f.ret();
  f.done();
  EXPECT_TRUE(find("f").empty());
}

TEST_F(LockedRegions, AnyClassWithLockAndUnlockIsALock) {
  FunctionBuilder f(unit_, "f");
  f.node("lock");
  f.call("_ZN4Gate4lockEv", {f.symbol(m_)});
  f.node("work");
  f.constant();
  f.node("unlock");
  f.call("_ZN4Gate6unlockEv", {f.symbol(m_)});
  f.node("after");
  f.ret();
  f.done();
  const auto regions = find("f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].nodes, (Nodes{1, 2}));
}

// `struct NullMutex { void lock() {} void unlock() {} };`
TEST_F(LockedRegions, WhatIsCalledALockAndDoesNothingIsNone) {
  const auto empty = [&](const std::string& name) {
    FunctionBuilder body(unit_, name);
    body.node("}");
    body.ret();
    body.done();
  };
  empty("_ZN9NullMutex4lockEv");
  empty("_ZN9NullMutex6unlockEv");
  FunctionBuilder f(unit_, "f");
  f.node("lock");
  f.call("_ZN9NullMutex4lockEv", {f.symbol(m_)});
  f.node("work");
  f.constant();
  f.node("unlock");
  f.call("_ZN9NullMutex6unlockEv", {f.symbol(m_)});
  f.ret();
  f.done();
  EXPECT_TRUE(find("f").empty());
}

TEST_F(LockedRegions, ALockOfTheProgramsOwnThatCallsARealOneIsOne) {
  FunctionBuilder body(unit_, "_ZN9RealMutex4lockEv");
  body.node("lock");
  body.call("pthread_mutex_lock", {body.symbol(m_)});
  body.ret();
  body.done();
  FunctionBuilder f(unit_, "f");
  f.node("lock");
  f.call("_ZN9RealMutex4lockEv", {f.symbol(m_)});
  f.node("work");
  f.constant();
  f.node("unlock");
  f.call("_ZN9RealMutex6unlockEv", {f.symbol(m_)});
  f.ret();
  f.done();
  ASSERT_EQ(find("f").size(), 1u);
}

TEST_F(LockedRegions, ALockThatAGuardNoLongerMindsIsHeldUntilItIsUnlocked) {
  FunctionBuilder f(unit_, "f");
  f.node("construct");
  const ValueId guard = f.local(16, "guard");
  f.call("_ZNSt11unique_lockISt5mutexEC2ERS0_", {guard, f.symbol(m_)});
  f.node("release");
  f.call("_ZNSt11unique_lockISt5mutexE7releaseEv", {guard});
  f.node("inside");
  f.constant();
  f.node("unlock");
  f.call("_ZNSt5mutex6unlockEv", {f.symbol(m_)});
  f.node("after");
  f.ret();
  f.done();
  const auto regions = find("f");
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].nodes, (Nodes{1, 2, 3}));
}

}  // namespace
}  // namespace heddle::program
