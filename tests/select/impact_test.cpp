// The five rules and their C++ forms, on two versions of one small class.
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "select/matcher.h"
#include "two_versions.h"

namespace heddle::select {
namespace {

// The class of all tests: members of one object that two threads use.
constexpr const char* kHead = R"(#include <atomic>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
struct Box {
  std::mutex mu;
  std::mutex other;
  std::shared_mutex rw;
  std::condition_variable cv;
  std::atomic<int> flag{0};
  int a = 0;
  int b = 0;
  int slots[8] = {};
  std::vector<int> list;
  void work(int n);
  void rest(int n);
};
)";

constexpr const char* kTail = R"(
int main(int argc, char**) {
  Box box;
  std::thread one([&] { box.work(argc); box.rest(argc); });
  std::thread two([&] { box.work(argc); box.rest(argc); });
  one.join();
  two.join();
}
)";

std::string source(const std::string& body, const std::string& head = kHead) {
  return head + body + kTail;
}

// Names of the impacted variables of `a.cpp`, with their rule: "a:3", sorted, each once.
std::vector<std::string> impacted(const std::string& before, const std::string& after) {
  const TwoVersions versions({{"a.cpp", before}}, {{"a.cpp", after}});
  std::set<std::string> names;
  for (const SharedVariable& variable : versions.changed().variables) {
    if (!variable.is_impacted()) continue;
    const size_t colons = variable.name.rfind("::");
    const std::string name = colons == std::string::npos ? variable.name : variable.name.substr(colons + 2);
    names.insert(name + ":" + std::to_string(static_cast<int>(variable.rule)));
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> impacted_bodies(const std::string& before, const std::string& after) {
  return impacted(source(before), source(after));
}

using Names = std::vector<std::string>;

TEST(Impact, NothingIfNothingButLayoutCommentsAndLocalsDiffers) {
  EXPECT_EQ(impacted_bodies("void Box::work(int n) { int x = n; a = x; }\nvoid Box::rest(int n) { b = n; }",
                            "// says more\nvoid Box::work(int m) {\n  int y = m;\n  a = y;\n}\n"
                            "void Box::rest(int n) { b = n; }"),
            Names{});
}

TEST(Impact, Rule1AnAccessThatIsAddedOrModified) {
  EXPECT_EQ(impacted_bodies("void Box::work(int n) { b = n; }\nvoid Box::rest(int n) { b = n; }",
                            "void Box::work(int n) { b = n; a = n; }\nvoid Box::rest(int n) { b = n; }"),
            (Names{"a:1"}));
  EXPECT_EQ(impacted_bodies("void Box::work(int n) { b = n; }\nvoid Box::rest(int n) { a = n; }",
                            "void Box::work(int n) { b += n; }\nvoid Box::rest(int n) { a = n; }"),
            (Names{"b:1"}));
}

TEST(Impact, Rule2AFunctionThatIsAddedWithItsCallersBlock) {
  const TwoVersions versions(
      {{"a.cpp", source("void Box::work(int n) { b = n; }\nvoid Box::rest(int n) { b = n; }")}},
      {{"a.cpp", source("static void touch(Box& box) { box.a++; }\n"
                        "void Box::work(int n) { b = n; touch(*this); }\n"
                        "void Box::rest(int n) { b = n; }")}});
  bool found = false;
  for (const SharedVariable& variable : versions.changed().variables) {
    if (variable.name != "Box::a" || variable.is_own_construction) continue;
    found = true;
    EXPECT_EQ(variable.rule, Rule::kFunction);
    EXPECT_EQ(variable.function, "touch");
    EXPECT_EQ(variable.old_function, "Box::work");
    EXPECT_NE(variable.old_block, kNone);
  }
  EXPECT_TRUE(found);
}

// A struct is copied by a library that was given a reference, and one of its fields written elsewhere.
TEST(Impact, AnObjectThatIsCopiedAsAWholeIsAllItsFields) {
  const std::string head = std::string(kHead) + R"(
struct Point { long x = 0; long y = 0; };
struct Line { Point from; Point to; };
std::vector<Point> points;
Line line;
void keep(const Point& point) { points.push_back(point); }
void move(Point& to) { to.y++; }
)";
  const std::string rest = "\nvoid Box::rest(int n) { std::lock_guard<std::mutex> g(mu); move(line.from); }";
  const auto pairs_of = [&](const std::string& work) {
    const TwoVersions versions(
        {{"a.cpp",
          source("void Box::work(int n) { std::lock_guard<std::mutex> g(mu); " + work + " }" + rest, head)}},
        {{"a.cpp", source("void Box::work(int n) { " + work + " }" + rest, head)}});
    const std::vector<SharedVariable>& variables = versions.changed().variables;
    std::set<std::string> functions;
    for (const ImpactedPair& pair : match(variables)) {
      const SharedVariable& one = variables[pair.first];
      const SharedVariable& other = variables[pair.second];
      if (one.function == "move") functions.insert(other.function);
      if (other.function == "move") functions.insert(one.function);
    }
    return functions;
  };
  EXPECT_TRUE(pairs_of("keep(line.from);").contains("keep"));
  EXPECT_TRUE(pairs_of("Point copy = line.from; a = copy.x;").contains("Box::work"));
  EXPECT_TRUE(pairs_of("points[0] = line.from;").contains("Box::work"));
}

struct LockCase {
  const char* name;
  const char* before;
  const char* after;
  Names expected;
};

class Rule3 : public testing::TestWithParam<LockCase> {};

TEST_P(Rule3, ImpactsWhatIsUnderOtherLocks) {
  const std::string rest = "\nvoid Box::rest(int n) { std::lock_guard<std::mutex> g(mu); b = n; }";
  EXPECT_EQ(impacted_bodies(std::string("void Box::work(int n) {") + GetParam().before + "}" + rest,
                            std::string("void Box::work(int n) {") + GetParam().after + "}" + rest),
            GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Locks, Rule3,
    testing::Values(LockCase{"GuardRemoved", "std::lock_guard<std::mutex> g(mu); a = n;", "a = n;", {"a:3"}},
                    LockCase{"GuardAdded", "a = n;", "std::lock_guard<std::mutex> g(mu); a = n;", {"a:3"}},
                    LockCase{"OtherLock",
                             "std::lock_guard<std::mutex> g(mu); a = n;",
                             "std::lock_guard<std::mutex> g(other); a = n;",
                             {"a:3"}},
                    LockCase{"Narrowed",
                             "std::lock_guard<std::mutex> g(mu); a = n; b = n;",
                             "{ std::lock_guard<std::mutex> g(mu); a = n; } b = n;",
                             {"b:3"}},
                    LockCase{"UnlockMoved",
                             "mu.lock(); a = n; b = n; mu.unlock();",
                             "mu.lock(); a = n; mu.unlock(); b = n;",
                             {"b:1"}},
                    LockCase{
                        "UniqueLockRemoved", "std::unique_lock<std::mutex> g(mu); a = n;", "a = n;", {"a:3"}},
                    LockCase{"EarlyUnlock",
                             "std::unique_lock<std::mutex> g(mu); a = n; b = n;",
                             "std::unique_lock<std::mutex> g(mu); a = n; g.unlock(); b = n;",
                             {"b:3"}},
                    LockCase{"ScopedLockOfTwo",
                             "std::scoped_lock g(mu, other); a = n;",
                             "std::scoped_lock g(mu); a = n;",
                             {"a:3"}},
                    LockCase{"UniqueToShared",
                             "std::unique_lock<std::shared_mutex> g(rw); a = n;",
                             "std::shared_lock<std::shared_mutex> g(rw); a = n;",
                             {"a:3"}},
                    LockCase{"TryLock",
                             "mu.lock(); a = n; mu.unlock();",
                             "if (mu.try_lock()) { a = n; mu.unlock(); }",
                             {"a:3"}}),
    [](const auto& of) { return of.param.name; });

TEST(Impact, Rule3GoesIntoWhatIsCalledUnderTheLock) {
  const std::string helper = "static void put(Box& box, int n) { box.a = n; }\n";
  EXPECT_EQ(
      impacted_bodies(helper + "void Box::work(int n) { std::lock_guard<std::mutex> g(mu); put(*this, n); }\n"
                               "void Box::rest(int n) { b = n; }",
                      helper + "void Box::work(int n) { put(*this, n); }\nvoid Box::rest(int n) { b = n; }"),
      (Names{"a:3"}));
}

TEST(Impact, Rule3SeesAWrapperOfTheProjectsOwnThatNoLongerLocks) {
  const auto with = [](const std::string& constructor) {
    return "struct Hold {\n  explicit Hold(std::mutex& m) : m_(m) {" + constructor +
           "}\n  ~Hold() { m_.unlock(); }\n  std::mutex& m_;\n};\n"
           "void Box::work(int n) { Hold hold(mu); a = n; }\nvoid Box::rest(int n) { b = n; }";
  };
  const Names found = impacted_bodies(with(" m_.lock(); "), with(" "));
  EXPECT_TRUE(std::find(found.begin(), found.end(), "a:3") != found.end());
  EXPECT_TRUE(std::find(found.begin(), found.end(), "b:3") == found.end());
}

TEST(Impact, Rule3WaitsNotifiesAndJoinsAreOrderings) {
  const std::string rest = "void Box::rest(int) { std::unique_lock<std::mutex> g(mu); cv.wait(g); a++; }\n";
  const TwoVersions versions({{"a.cpp", source(rest + "void Box::work(int n) { b = n; cv.notify_one(); }")}},
                             {{"a.cpp", source(rest + "void Box::work(int n) { b = n; }")}});
  ASSERT_EQ(versions.changed().orderings.size(), 1u);
  const SharedVariable& ordering = versions.changed().variables[versions.changed().orderings[0]];
  EXPECT_EQ(ordering.old_function, "Box::work");
  EXPECT_NE(ordering.old_block, kNone);
  const TwoVersions changed({{"a.cpp", source(rest + "void Box::work(int n) { b = n; cv.notify_one(); }")}},
                            {{"a.cpp", source(rest + "void Box::work(int n) { b = n; cv.notify_all(); }")}});
  EXPECT_FALSE(changed.changed().orderings.empty());
}

// The pairs of acquisitions: "work rest", each once, the changed one first.
std::set<std::string> lock_pairs(const std::string& before, const std::string& after) {
  const TwoVersions versions({{"a.cpp", source(before)}}, {{"a.cpp", source(after)}});
  const std::vector<SharedVariable>& variables = versions.changed().variables;
  std::set<std::string> pairs;
  for (const ImpactedPair& pair : match(variables)) {
    const SharedVariable& first = variables[pair.first];
    const SharedVariable& second = variables[pair.second];
    if (!first.is_acquisition || pair.first == pair.second) continue;
    EXPECT_NE(first.old_block, kNone);
    EXPECT_NE(second.old_block, kNone);
    pairs.insert(first.is_impacted() ? first.function + " " + second.function
                                     : second.function + " " + first.function);
  }
  return pairs;
}

TEST(Impact, Rule3ALockThatWaitsForWhoeverWantsItIsAnOrdering) {
  const std::string rest = "\nvoid Box::rest(int) { std::shared_lock<std::shared_mutex> g(rw); }";
  const auto joins = [&](const std::string& lock) {
    return "void Box::work(int) {\n  " + lock + "\n  std::thread t([this] { rest(1); });\n  t.join();\n}" +
           rest;
  };
  const std::string shared = "std::shared_lock<std::shared_mutex> g(rw);";
  const std::string alone = "std::unique_lock<std::shared_mutex> g(rw);";
  EXPECT_EQ(lock_pairs(joins(shared), joins(alone)), std::set<std::string>{"Box::work Box::rest"});
  EXPECT_EQ(lock_pairs(joins(""), joins(alone)), std::set<std::string>{"Box::work Box::rest"});
  EXPECT_EQ(lock_pairs(joins(""), joins(shared)), std::set<std::string>{}) << "readers";
  EXPECT_EQ(lock_pairs(joins(alone), joins(alone)), std::set<std::string>{});
}

TEST(Impact, Rule3ALockUnderAnotherIsAnOrderingAndALastOneIsNot) {
  const auto locks = [](const std::string& lock, const std::string& under) {
    return "void Box::work(int) {\n  " + lock + "\n  " + under +
           "\n}\nvoid Box::rest(int) { std::lock_guard<std::mutex> h(other); std::lock_guard<std::mutex> "
           "g(mu); }";
  };
  const std::string lock = "std::lock_guard<std::mutex> g(mu);";
  const std::string other = "std::lock_guard<std::mutex> h(other);";
  EXPECT_EQ(lock_pairs(locks("", other), locks(lock, other)), std::set<std::string>{"Box::work Box::rest"});
  EXPECT_EQ(lock_pairs(locks(lock, ""), locks(lock, other)), std::set<std::string>{"Box::work Box::rest"});
  EXPECT_EQ(lock_pairs(locks("", ""), locks(lock, "")), std::set<std::string>{});
}

TEST(Impact, Rule4AtomicOrVolatileRemovedImpactsEveryUse) {
  const std::string bodies = "void Box::work(int n) { flag = n; a = 1; }\nvoid Box::rest(int) { b = flag; }";
  std::string plain = kHead;
  plain.replace(plain.find("std::atomic<int> flag"), 21, "int flag");
  const Names found = impacted(source(bodies), source(bodies, plain));
  EXPECT_EQ(std::count(found.begin(), found.end(), "flag:4"), 1);
  EXPECT_EQ(std::count(found.begin(), found.end(), "a:4"), 0);
}

TEST(Impact, AMemoryOrderThatIsWeakenedImpactsTheAccess) {
  const std::string rest = "void Box::rest(int) { b = flag.load(std::memory_order_acquire); }\n";
  const Names found =
      impacted_bodies(rest + "void Box::work(int n) { a = n; flag.store(1, std::memory_order_release); }",
                      rest + "void Box::work(int n) { a = n; flag.store(1, std::memory_order_relaxed); }");
  EXPECT_EQ(found, (Names{"flag:1"}));
}

TEST(Impact, Rule5WhatAChangedValueDecidesOrSelects) {
  EXPECT_EQ(impacted_bodies(
                "void Box::work(int n) { int i = n; slots[i] = 1; a = 2; }\nvoid Box::rest(int n) { b = n; }",
                "void Box::work(int n) { int i = n + 1; slots[i] = 1; a = 2; }\n"
                "void Box::rest(int n) { b = n; }"),
            (Names{"slots[]:5"}));
  EXPECT_EQ(impacted_bodies(
                "void Box::work(int n) { bool is = n > 0; if (is) a = 2; b = 3; }\nvoid Box::rest(int) {}",
                "void Box::work(int n) { bool is = n > 1; if (is) a = 2; b = 3; }\nvoid Box::rest(int) {}"),
            (Names{"a:5"}));
}

TEST(Impact, Rule5GoesIntoCallsWithTheArgumentAndBackWithTheResult) {
  const auto with = [](const std::string& value) {
    return "static void put(Box& box, int at) { box.slots[at] = 1; box.b = 0; }\n"
           "static int pick(int n) { return " +
           value +
           "; }\n"
           "void Box::work(int n) { put(*this, pick(n)); }\nvoid Box::rest(int) { a = 1; }";
  };
  EXPECT_EQ(impacted_bodies(with("n"), with("n & 7")), (Names{"slots[]:5"}));
}

TEST(Impact, AFunctionThatIsCalledFromANewPlaceIsReachedThere) {
  const std::string helper = "static int peek(Box& box) { return box.a; }\n";
  const TwoVersions versions(
      {{"a.cpp", source(helper + "void Box::work(int n) { b = n; }\nvoid Box::rest(int) { peek(*this); }")}},
      {{"a.cpp",
        source(helper +
               "void Box::work(int n) { b = n; peek(*this); }\nvoid Box::rest(int) { peek(*this); }")}});
  std::set<std::string> where;
  for (const SharedVariable& variable : versions.changed().variables)
    if (variable.name == "Box::a" && variable.is_impacted()) where.insert(variable.old_function);
  EXPECT_TRUE(where.contains("Box::work"));
}

TEST(Impact, WhatALibraryDoesCountsAsTheCallersAccess) {
  const std::string rest =
      "\nvoid Box::rest(int) { std::lock_guard<std::mutex> g(mu); b = (int)list.size(); }";
  const Names found = impacted_bodies(
      "void Box::work(int n) { std::lock_guard<std::mutex> g(mu); list.push_back(n); }" + rest,
      "void Box::work(int n) { list.push_back(n); }" + rest);
  EXPECT_EQ(found, (Names{"list:3"}));
}

// --- locks that are taken under a condition

// Somewhere else it is decided whether `work` takes its lock: by what a function returns, by what is in `b`,
// by how `flag_` begins.
TEST(Decided, ALockThatIsTakenIfAFunctionSaysSo) {
  const auto body = [](const std::string& answer) {
    return "bool needs_lock() { return " + answer +
           "; }\nvoid Box::work(int n) {\n  std::unique_lock<std::mutex> lock(mu, std::defer_lock);\n"
           "  if (needs_lock()) lock.lock();\n  a += n;\n}\nvoid Box::rest(int) {}";
  };
  EXPECT_EQ(impacted_bodies(body("true"), body("false")), (Names{"a:3"}));
}

TEST(Decided, ALockThatIsTakenByWhatTheChangeHasWritten) {
  const auto body = [](const std::string& written) {
    return "void Box::work(int n) {\n  std::unique_lock<std::mutex> lock(mu, std::defer_lock);\n"
           "  if (b != 0) lock.lock();\n  a += n;\n}\nvoid Box::rest(int) { b = " +
           written + "; }";
  };
  const Names found = impacted_bodies(body("1"), body("0"));
  EXPECT_NE(std::find(found.begin(), found.end(), "a:3"), found.end());
  EXPECT_EQ(impacted_bodies(body("1"), body("1")), Names{});
}

TEST(Decided, ALockThatIsTakenByHowAVariableBegins) {
  const auto body = [](const std::string& value) {
    return "bool locks = " + value +
           ";\nvoid Box::work(int n) {\n  std::unique_lock<std::mutex> lock(mu, std::defer_lock);\n"
           "  if (locks) lock.lock();\n  a += n;\n}\nvoid Box::rest(int n) { if (n > 9) locks = false; }";
  };
  const Names found = impacted_bodies(body("true"), body("false"));
  EXPECT_NE(std::find(found.begin(), found.end(), "a:3"), found.end());
}

// What the change decides is whether all of it is executed; the lock is taken whenever it is.
TEST(Decided, AnEarlyReturnTakesNothingOutOfALock) {
  const auto body = [](const std::string& condition) {
    return "void Box::work(int n) {\n  if (" + condition +
           ") return;\n  std::lock_guard<std::mutex> lock(mu);\n  a += n;\n}\nvoid Box::rest(int) {}";
  };
  const Names found = impacted_bodies(body("n > 3"), body("n > 4"));
  EXPECT_EQ(std::find(found.begin(), found.end(), "a:3"), found.end());
}

// --- what is followed

constexpr const char* kOwners = R"(#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
int first_ended = 0;
int second_ended = 0;
struct First { ~First() { ++first_ended; } };
struct Second { ~Second() { ++second_ended; } };
struct Box {
  std::mutex mu;
  std::shared_ptr<First> first = std::make_shared<First>();
  std::shared_ptr<Second> second = std::make_shared<Second>();
  std::function<void()> call = [] { ++second_ended; };
  std::function<void(int)> call_with = [](int n) { first_ended += n; };
  std::map<std::string, int> found;
  int hits = 0;
  void work(int n);
  void rest(int n);
};
)";

std::vector<std::string> impacted_by_owners(const std::string& before, const std::string& after) {
  return impacted(source(before, kOwners), source(after, kOwners));
}

TEST(Calls, ASharedPointerLeadsToTheClassThatItOwns) {
  const std::vector<std::string> names = impacted_by_owners(
      "void Box::work(int) { std::lock_guard lock(mu); first.reset(); }\nvoid Box::rest(int) { "
      "second.reset(); }",
      "void Box::work(int) { first.reset(); }\nvoid Box::rest(int) { second.reset(); }");
  EXPECT_NE(std::find(names.begin(), names.end(), "first_ended:3"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "second_ended:3"), names.end());
}

TEST(Calls, ToCopyAFunctionIsNotToCallIt) {
  const std::vector<std::string> names = impacted_by_owners(
      "void Box::work(int) { std::lock_guard lock(mu); auto mine = call; }\nvoid Box::rest(int) { call(); }",
      "void Box::work(int) { auto mine = call; }\nvoid Box::rest(int) { call(); }");
  EXPECT_EQ(std::find(names.begin(), names.end(), "second_ended:3"), names.end());
  EXPECT_EQ(names, std::vector<std::string>{"call:3"});
}

TEST(Calls, ToCallAFunctionLeadsToWhatItMayBe) {
  const std::vector<std::string> names =
      impacted_by_owners("void Box::work(int) { std::lock_guard lock(mu); call(); }\nvoid Box::rest(int) {}",
                         "void Box::work(int) { call(); }\nvoid Box::rest(int) {}");
  EXPECT_NE(std::find(names.begin(), names.end(), "second_ended:3"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "first_ended:3"), names.end());
}

TEST(Calls, ToCallAFunctionWithArgumentsLeadsToOneThatTakesThem) {
  const std::vector<std::string> names = impacted_by_owners(
      "void Box::work(int n) { std::lock_guard lock(mu); call_with(n); }\nvoid Box::rest(int) {}",
      "void Box::work(int n) { call_with(n); }\nvoid Box::rest(int) {}");
  EXPECT_NE(std::find(names.begin(), names.end(), "first_ended:3"), names.end());
  EXPECT_EQ(std::find(names.begin(), names.end(), "second_ended:3"), names.end());
}

// "read found", "write found" …, each once, of one statement of `Box::work`.
std::set<std::string> accesses_of(const std::string& statement) {
  const std::string text = source(
      "std::string key_of(int n);\nvoid Box::work(int n) {\n  " + statement + "\n}\nvoid Box::rest(int) {}",
      kOwners);
  const TwoVersions versions({{"a.cpp", text}}, {{"a.cpp", text}});
  std::set<std::string> found;
  for (const SharedVariable& variable : versions.changed().variables)
    if (variable.function == "Box::work")
      found.insert(fmt::format("{} {}", variable.is_write ? "write" : "read", variable.name));
  return found;
}

TEST(Effects, WhoLooksForAKeyWritesNothing) {
  EXPECT_EQ(accesses_of("found.find(key_of(n));"), std::set<std::string>{"read Box::found"});
  EXPECT_EQ(accesses_of("found.contains(\"key\");"), std::set<std::string>{"read Box::found"});
}

TEST(Effects, WhoInsertsWritesTheContainerOnly) {
  EXPECT_EQ(accesses_of("found.emplace(\"key\", n);"),
            (std::set<std::string>{"read Box::found", "write Box::found"}));
}

TEST(Effects, WhatIsPassedByValueIsTheFunctionsOwn) {
  const std::string text = source(
      "std::string twice(std::string text) { text += text; return text; }\n"
      "void Box::work(int) { twice(\"x\"); }\nvoid Box::rest(int) {}",
      kOwners);
  const TwoVersions versions({{"a.cpp", text}}, {{"a.cpp", text}});
  for (const SharedVariable& variable : versions.changed().variables)
    EXPECT_NE(variable.function, "twice") << variable.name;
}

TEST(Effects, UnlessItsAddressIsKept) {
  const std::string text = source(
      "std::string* seen;\nvoid keep(std::string text) { seen = &text; text += \"y\"; }\n"
      "void Box::work(int) { keep(\"x\"); }\nvoid Box::rest(int) { *seen += \"z\"; }",
      kOwners);
  const TwoVersions versions({{"a.cpp", text}}, {{"a.cpp", text}});
  const auto& variables = versions.changed().variables;
  EXPECT_TRUE(std::any_of(variables.begin(), variables.end(), [](const SharedVariable& variable) {
    return variable.function == "keep" && variable.is_write && variable.name != "seen";
  }));
}

}  // namespace
}  // namespace heddle::select
