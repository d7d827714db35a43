// Which accesses are under one lock, through the calls that lead to them.
#include "select/held_locks.h"

#include <gtest/gtest.h>

#include "two_versions.h"

namespace heddle::select {
namespace {

constexpr const char* kLockedBox = R"(#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
struct Box {
  std::shared_mutex rw;
  std::mutex mu;
  int a = 0;
  int b = 0;
  int c = 0;
  int d = 0;
  void set_all(int n);
  int get();
  void write(int n);
  int read();
  void other(int n);
  void attempt(int n);
};
void Box::set_all(int n) { a = n; }
int Box::get() { return a; }
void Box::write(int n) {
  std::string text(n, 'x');
  const std::unique_lock lock(rw);
  set_all(n);
  b = n;
}
int Box::read() {
  std::string text(3, 'x');
  const std::shared_lock lock(rw);
  return get();
}
void Box::other(int n) {
  const std::lock_guard lock(mu);
  c = n;
  OTHER
}
void Box::attempt(int n) {
  if (!mu.try_lock()) return;
  d = n;
  mu.unlock();
}
int main(int argc, char**) {
  Box box;
  const auto work = [&] { box.write(argc); box.read(); box.other(argc); box.attempt(argc); };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
}
)";

std::string program(const std::string& other) {
  std::string text = kLockedBox;
  return text.replace(text.find("OTHER"), 5, other);
}

// What is held where the field is accessed.
std::vector<HeldLock> held_at(const TwoVersions& versions, const std::string& name, bool is_write) {
  for (const SharedVariable& variable : versions.changed().variables)
    if (variable.name == name && variable.is_write == is_write && !variable.is_own_construction)
      return variable.held;
  ADD_FAILURE() << "no access to " << name;
  return {};
}

TEST(HeldLocks, AreThoseOfAllCallersAndOfTheFunction) {
  const std::string text = program("");
  const TwoVersions versions({{"a.cpp", text}}, {{"a.cpp", text}});
  const std::vector<HeldLock> written = held_at(versions, "Box::a", true);
  const std::vector<HeldLock> read = held_at(versions, "Box::a", false);
  EXPECT_TRUE(exclude_each_other(written, written));
  EXPECT_TRUE(exclude_each_other(written, read));
  EXPECT_FALSE(exclude_each_other(read, read)) << "both are readers";
  EXPECT_TRUE(exclude_each_other(written, held_at(versions, "Box::b", true)));
  EXPECT_EQ(held_at(versions, "Box::d", true).size(), 1u) << "where try_lock has succeeded";
}

TEST(HeldLocks, AnotherCallerWithAnotherLockLeavesNone) {
  const std::string text = program("set_all(n);");
  const TwoVersions versions({{"a.cpp", text}}, {{"a.cpp", text}});
  EXPECT_TRUE(held_at(versions, "Box::a", true).empty());
  EXPECT_EQ(held_at(versions, "Box::c", true).size(), 1u);
  EXPECT_FALSE(exclude_each_other(held_at(versions, "Box::c", true), held_at(versions, "Box::b", true)));
}

}  // namespace
}  // namespace heddle::select
