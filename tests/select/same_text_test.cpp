// Statements whose text is the same, and which do something else because of a change elsewhere. One program
// with a class for each way, all changed at once: each must be found, and what lies next to it must not.
#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "two_versions.h"

namespace heddle::select {
namespace {

constexpr const char* kProgram = R"(
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <thread>
#include "real_mutex.h"
struct NullMutex { void lock() {} void unlock() {} };

template <class T> struct Locker {
  static void lock(T& t) { t.lock(); }
  static void unlock(T& t) { t.unlock(); }
};
// SPECIALISATION
struct Specialised { std::mutex mu; int specialised = 0; void work() { Locker<std::mutex>::lock(mu); ++specialised; Locker<std::mutex>::unlock(mu); } };

template <class M = std::mutex> struct WithDefault { M mu; int by_default = 0; void work() { std::lock_guard<M> g(mu); ++by_default; } };

using Alias = std::mutex;
struct Aliased { Alias mu; int aliased = 0; void work() { std::unique_lock<Alias> g(mu); ++aliased; } };

struct Included { ProjectMutex mu; int included = 0; void work() { mu.lock(); ++included; mu.unlock(); } };

constexpr bool kLocks = true;
struct Constexpr { std::mutex mu; int by_constexpr = 0; void work(); };
void Constexpr::work() {
  std::unique_lock<std::mutex> lock(mu, std::defer_lock);
  if constexpr (kLocks) lock.lock();
  ++by_constexpr;
}

std::mutex one, other;
struct Bound { std::mutex& mu; int bound = 0; Bound() : mu(one) {} void work() { std::lock_guard<std::mutex> g(mu); ++bound; } };

struct Set { bool locks = true; std::mutex mu; int set = 0; void set_locks(bool to) { locks = to; } void work(); };
void Set::work() {
  std::unique_lock<std::mutex> lock(mu, std::defer_lock);
  if (locks) lock.lock();
  ++set;
}

struct Begins { bool fast = false; std::mutex mu; int begins = 0; void work(); };
void Begins::work() {
  if (fast) {
    ++begins;
    return;
  }
  std::lock_guard<std::mutex> g(mu);
  ++begins;
}

struct Table;
void locked(Table& table);
void unlocked(Table& table);
struct Table { std::mutex mu; int in_table = 0; void work(); };
void locked(Table& table) { std::lock_guard<std::mutex> g(table.mu); ++table.in_table; }
void unlocked(Table& table) { ++table.in_table; }
static void (*const kTable[])(Table&) = {&locked};
void Table::work() { kTable[0](*this); }

struct Predicate { std::mutex mu; std::condition_variable cv; bool is_ready = false; void work(); };
void Predicate::work() {
  std::unique_lock<std::mutex> lock(mu);
  cv.wait(lock, [this] {
    return is_ready;
  });
}

struct Counted { std::latch latch{1}; std::counting_semaphore<4> slots{1}; void work() { latch.count_down(); slots.acquire(); slots.release(); } };

struct Same { std::mutex mu; int same = 0; void work() { std::lock_guard<std::mutex> g(mu); ++same; } };

int main() {
  Specialised specialised; WithDefault<> with_default; Aliased aliased; Included included; Constexpr by_constexpr;
  Bound bound; Set set; Begins begins; Table table; Predicate predicate; Counted counted; Same same;
  set.set_locks(true);
  const auto all = [&] {
    specialised.work(); with_default.work(); aliased.work(); included.work(); by_constexpr.work(); bound.work();
    set.work(); begins.work(); table.work(); predicate.work(); counted.work(); same.work();
  };
  std::thread first(all);
  std::thread second(all);
  first.join();
  second.join();
}
)";

std::string with(std::string text, const std::string& before, const std::string& after) {
  const size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return text.replace(at, before.size(), after);
}

class SameText : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const std::string real = "#pragma once\n#include <mutex>\nusing ProjectMutex = std::mutex;\n";
    const std::string null = "#pragma once\nstruct ProjectMutex { void lock() {} void unlock() {} };\n";
    std::string after = kProgram;
    after = with(after, "// SPECIALISATION",
                 "template <> struct Locker<std::mutex> { static void lock(std::mutex&) {} static void "
                 "unlock(std::mutex&) {} };");
    after = with(after, "template <class M = std::mutex>", "template <class M = NullMutex>");
    after = with(after, "using Alias = std::mutex", "using Alias = NullMutex");
    after = with(after, "real_mutex.h", "null_mutex.h");
    after = with(after, "kLocks = true", "kLocks = false");
    after = with(after, "mu(one)", "mu(other)");
    after = with(after, "set.set_locks(true)", "set.set_locks(false)");
    after = with(after, "bool fast = false", "bool fast = true");
    after = with(after, "{&locked}", "{&unlocked}");
    after = with(after, "return is_ready", "return true");
    after = with(after, "latch{1}", "latch{0}");
    after = with(after, "slots{1}", "slots{2}");
    const Sources headers{{"real_mutex.h", real}, {"null_mutex.h", null}};
    Sources base = headers, head = headers;
    base["a.cpp"] = kProgram;
    head["a.cpp"] = after;
    const TwoVersions versions(base, head);
    for (const SharedVariable& variable : versions.changed().variables) {
      if (!variable.is_impacted()) continue;
      impacted_.insert(variable.name);
    }
    for (const uint32_t ordering : versions.changed().orderings)
      orderings_.insert(versions.changed().variables[ordering].name);
  }

  static bool is_impacted(const std::string& name) { return impacted_.contains(name); }
  static bool has_ordering(const std::string& words) {
    return std::any_of(orderings_.begin(), orderings_.end(),
                       [&](const std::string& name) { return name.find(words) != std::string::npos; });
  }

  static inline std::set<std::string> impacted_;
  static inline std::set<std::string> orderings_;
};

TEST_F(SameText, AnExplicitSpecialisationThatDoesNotLock) {
  EXPECT_TRUE(is_impacted("Specialised::specialised"));
}
TEST_F(SameText, ADefaultTemplateArgument) {
  EXPECT_TRUE(is_impacted("WithDefault::by_default"));
}
TEST_F(SameText, AnAlias) {
  EXPECT_TRUE(is_impacted("Aliased::aliased"));
}
TEST_F(SameText, AnotherHeaderWithTheSameNames) {
  EXPECT_TRUE(is_impacted("Included::included"));
}
TEST_F(SameText, AConstantThatAnIfConstexprReads) {
  EXPECT_TRUE(is_impacted("Constexpr::by_constexpr"));
}
TEST_F(SameText, AReferenceThatIsBoundToAnotherMutex) {
  EXPECT_TRUE(is_impacted("Bound::bound"));
}
TEST_F(SameText, AConstantArgumentThatEndsUpInTheConditionOfALock) {
  EXPECT_TRUE(is_impacted("Set::set"));
}
TEST_F(SameText, ADefaultMemberInitialiserThatDecides) {
  EXPECT_TRUE(is_impacted("Begins::begins"));
}
TEST_F(SameText, ATableOfFunctions) {
  EXPECT_TRUE(is_impacted("Table::in_table"));
}
TEST_F(SameText, ThePredicateOfAWait) {
  EXPECT_TRUE(has_ordering("cv.wait("));
}
TEST_F(SameText, InitialCountsOfLatchesAndSemaphores) {
  EXPECT_TRUE(has_ordering("latch.count_down"));
  EXPECT_TRUE(has_ordering("slots.acquire"));
}
TEST_F(SameText, WhatTheChangeDoesNotMeanIsNotFound) {
  EXPECT_FALSE(is_impacted("Same::same"));
}

}  // namespace
}  // namespace heddle::select
