// Before and after, within functions: what counts as changed.
#include <gtest/gtest.h>

#include "source_pairs.h"

namespace heddle {

TEST(StatementPairs, CommentsAndLayoutAreNoChange) {
  expect_changes("int f(int a) { return a + 1; }",
                 "int f(int a)  // why\n{\n  /* here */ return a\n      + 1;\n}", {});
}

TEST(StatementPairs, RenamedParameterIsNoChange) {
  expect_changes("int f(int a) { log(a); return a + 1; }", "int f(int b) { log(b); return b + 1; }", {});
}

TEST(StatementPairs, RenamedLocalIsNoChange) {
  expect_changes("void f() { int count = 0; for (int i = 0; i < 3; ++i) count += i; use(count); }",
                 "void f() { int total = 0; for (int k = 0; k < 3; ++k) total += k; use(total); }", {});
}

TEST(StatementPairs, LocalsThatSwappedNamesAreNoChange) {
  expect_changes("void f(int a, long b) { one(a); two(b); }", "void f(int b, long a) { one(b); two(a); }",
                 {});
}

TEST(StatementPairs, ParametersThatSwappedPlacesChangeTheirUses) {
  expect_changes("void f(int a, int b) { one(a); two(b); }", "void f(int b, int a) { one(a); two(b); }",
                 {"~f: one(a);", "~f: two(b);"});
}

TEST(StatementPairs, AnotherLocalIsAChange) {
  expect_changes("void f(int a, int b) { one(a); two(b); }", "void f(int a, int b) { one(b); two(b); }",
                 {"~f: one(a); → one(b);"});
}

TEST(StatementPairs, LocalOfAnInnerScopeIsAnotherVariable) {
  expect_changes("void f() { int x = 1; { int x = 2; use(x); } }", "void f() { int x = 1; { use(x); } }",
                 {"-f: int x = 2;", "~f: use(x);"});
}

TEST(StatementPairs, RenamedMemberIsAChange) {
  expect_changes("void Q::f() { size_ = size_ + 1; }", "void Q::f() { count_ = count_ + 1; }",
                 {"~Q::f: size_ = size_ + 1; → count_ = count_ + 1;"});
}

TEST(StatementPairs, AddedGuardIsAddedAndNothingElse) {
  expect_changes("void f() { x = x + 1; y = 2; }",
                 "void f() { std::lock_guard<std::mutex> guard(m); x = x + 1; y = 2; }",
                 {"+f: std::lock_guard<std::mutex> guard(m);", "+f: }"});
}

TEST(StatementPairs, GuardInAScopeOfItsOwn) {
  expect_changes("void f() { a(); x = x + 1; b(); }",
                 "void f() { a(); { std::scoped_lock lock(m); x = x + 1; } b(); }",
                 {"+f: std::scoped_lock lock(m);", "+f: }"});
}

TEST(StatementPairs, ShorterLockScopeMovesItsEndOnly) {
  const StatementMap map = map_of({{"a.cpp", "void f() { { std::scoped_lock lock(m); a(1); b(2); } c(); }"}},
                                  {{"a.cpp", "void f() { { std::scoped_lock lock(m); a(1); } b(2); c(); }"}});
  expect_changes(map, {"+f: }", "-f: }"});
}

TEST(StatementPairs, RemovedGuard) {
  expect_changes("void f() { std::lock_guard guard(m); ++x; }", "void f() { ++x; }",
                 {"-f: std::lock_guard guard(m);", "-f: }"});
}

TEST(StatementPairs, OtherMutex) {
  expect_changes("void f() { std::lock_guard guard(m1); ++x; }",
                 "void f() { std::lock_guard guard(m2); ++x; }",
                 {"~f: std::lock_guard guard(m1); → std::lock_guard guard(m2);"});
}

TEST(StatementPairs, WeakenedMemoryOrder) {
  expect_changes(
      "void f() { data = 1; ready.store(true, std::memory_order_release); }",
      "void f() { data = 1; ready.store(true, std::memory_order_relaxed); }",
      {"~f: ready.store(true, std::memory_order_release); → ready.store(true, std::memory_order_relaxed);"});
}

TEST(StatementPairs, WrappedInIfAddsTheConditionOnly) {
  expect_changes("void f() { a(); b(); c(); }", "void f() { a(); if (ok) { b(); } c(); }", {"+f: if (ok)"});
}

TEST(StatementPairs, UnwrappedFromIf) {
  expect_changes("void f() { a(); if (ok) { b(); } c(); }", "void f() { a(); b(); c(); }", {"-f: if (ok)"});
}

TEST(StatementPairs, LoopAdded) {
  expect_changes("void f() { take(x); }", "void f() { while (!done) { take(x); } }", {"+f: while (!done)"});
}

TEST(StatementPairs, IfBecomesWhile) {
  expect_changes("void f() { if (q.empty()) { cv.wait(lock); } take(); }",
                 "void f() { while (q.empty()) { cv.wait(lock); } take(); }",
                 {"~f: if (q.empty()) → while (q.empty())"});
}

TEST(StatementPairs, EarlyReturn) {
  expect_changes("void f() { a(); b(); }", "void f() { if (stopped) return; a(); b(); }",
                 {"+f: if (stopped)", "+f: return;"});
}

TEST(StatementPairs, NegatedConditionChangesTheConditionOnly) {
  expect_changes("void f() { if (ready) { go(); } }", "void f() { if (!ready) { go(); } }",
                 {"~f: if (ready) → if (!ready)"});
}

TEST(StatementPairs, SwappedBranches) {
  const StatementMap map = map_of({{"a.cpp", "void f() { if (c) { one(1); } else { two(2); } }"}},
                                  {{"a.cpp", "void f() { if (c) { two(2); } else { one(1); } }"}});
  // Both run under other conditions now.
  expect_changes(map, {"~f: one(1);", "~f: two(2);"});
}

TEST(StatementPairs, FirstOfTwoEqualConditionsRemoved) {
  expect_changes("void f() { if (c) { one(); } if (c) { two(); } }", "void f() { if (c) { two(); } }",
                 {"-f: if (c)", "-f: one();"});
}

TEST(StatementPairs, MovedUnderAnotherCondition) {
  expect_changes("void f() { if (a) { x(1); work(2); } if (b) { y(3); } }",
                 "void f() { if (a) { x(1); } if (b) { work(2); y(3); } }", {"~f: work(2);"});
}

TEST(StatementPairs, ElseAdded) {
  expect_changes("void f() { if (a) { x(); } }", "void f() { if (a) { x(); } else { y(); } }", {"+f: y();"});
}

TEST(StatementPairs, ElseIfInTheMiddle) {
  expect_changes("void f() { if (a) { x(); } else { z(); } }",
                 "void f() { if (a) { x(); } else if (b) { y(); } else { z(); } }",
                 {"+f: if (b)", "+f: y();"});
}

TEST(StatementPairs, LambdaBody) {
  expect_changes("void f() { std::thread t([&] { ++n; log(n); }); t.join(); }",
                 "void f() { std::thread t([&] { n += 2; log(n); }); t.join(); }", {"~f: ++n; → n += 2;"});
}

TEST(StatementPairs, StatementAroundALambda) {
  expect_changes("void f() { std::thread t([&] { ++n; }); }", "void f() { std::jthread t([&] { ++n; }); }",
                 {"~f: std::thread t([&] {}); → std::jthread t([&] {});"});
}

TEST(StatementPairs, RenamedLambdaParameter) {
  expect_changes("void f() { each(v, [](int a) { sum += a; }); }",
                 "void f() { each(v, [](int b) { sum += b; }); }", {});
}

TEST(StatementPairs, DuplicateAddedAtTheEnd) {
  const StatementMap map = map_of({{"a.cpp", "void f() {\n a();\n tick();\n b();\n}"}},
                                  {{"a.cpp", "void f() {\n a();\n tick();\n b();\n tick();\n}"}});
  expect_changes(map, {"+f: tick();"});
  EXPECT_FALSE(map.is_changed(*map.head_statement_at("a.cpp", 3, 0)));
  EXPECT_TRUE(map.is_changed(*map.head_statement_at("a.cpp", 5, 0)));
}

TEST(StatementPairs, DuplicateRemovedFromBetween) {
  const StatementMap map =
      map_of({{"a.cpp", "void f() {\n lock();\n x = 1;\n unlock();\n lock();\n y = 1;\n unlock();\n}"}},
             {{"a.cpp", "void f() {\n lock();\n x = 1;\n y = 1;\n unlock();\n}"}});
  expect_changes(map, {"-f: unlock();", "-f: lock();"});
  EXPECT_FALSE(map.to_new(*map.base_statement_at("a.cpp", 4, 0)));
  EXPECT_FALSE(map.to_new(*map.base_statement_at("a.cpp", 5, 0)));
}

TEST(StatementPairs, ReorderedStatementsAreOneMove) {
  expect_changes("void f() { first(1); second(2); third(3); }", "void f() { second(2); third(3); first(1); }",
                 {"~f: first(1);"});
}

TEST(StatementPairs, SwappedLocks) {
  const StatementMap map =
      map_of({{"a.cpp", "void f() { a.lock(); b.lock(); ++x; b.unlock(); a.unlock(); }"}},
             {{"a.cpp", "void f() { b.lock(); a.lock(); ++x; b.unlock(); a.unlock(); }"}});
  ASSERT_EQ(map.changes().size(), 1u);
  EXPECT_EQ(map.changes()[0].kind, ChangeKind::kModified);
}

TEST(StatementPairs, CaseAdded) {
  expect_changes("void f() { switch (k) { case 1: a(); break; default: z(); } }",
                 "void f() { switch (k) { case 1: a(); break; case 2: b(); break; default: z(); } }",
                 {"+f: case 2:", "+f: b();", "+f: break;"});
}

TEST(StatementPairs, MemberInitializer) {
  expect_changes("Q::Q(int n) : size_(n), open_(true) {}", "Q::Q(int n) : size_(n), open_(false) {}",
                 {"~Q::Q: open_(true) → open_(false)"});
}

TEST(StatementPairs, CaughtByAnotherType) {
  expect_changes("void f() { try { a(); } catch (const E& e) { log(e); } }",
                 "void f() { try { a(); } catch (const std::exception& e) { log(e); } }",
                 {"~f: catch (const E& e) → catch (const std::exception& e)", "decl~f: log(e);"});
}

TEST(StatementPairs, CompiledUnderAnotherCondition) {
  expect_changes("void f() {\n#ifdef A\n  x();\n#endif\n  y();\n}",
                 "void f() {\n#ifdef B\n  x();\n#endif\n  y();\n}", {"~f: x();"});
}

TEST(StatementPairs, OpenMpPragma) {
  expect_changes(
      "void f() {\n#pragma omp parallel for\n  for (int i = 0; i < n; ++i) a[i] = 0;\n}",
      "void f() {\n#pragma omp parallel for reduction(+ : s)\n  for (int i = 0; i < n; ++i) a[i] = 0;\n}",
      {"~f: #pragma omp parallel for → #pragma omp parallel for reduction(+ : s)"});
}

TEST(StatementPairs, TypeOfALocalChangesItsUses) {
  expect_changes("void f() { int n = 0; run([&] { ++n; }); other(); }",
                 "void f() { std::atomic<int> n = 0; run([&] { ++n; }); other(); }",
                 {"~f: int n = 0; → std::atomic<int> n = 0;", "decl~f: ++n;", "+f: }"});
}

TEST(StatementPairs, TypeOfAParameterChangesItsUses) {
  expect_changes("void f(int& n, int k) { ++n; use(k); }",
                 "void f(std::atomic<int>& n, int k) { ++n; use(k); }", {"decl~f: ++n;"});
}

TEST(StatementPairs, StringsAreCompared) {
  expect_changes("void f() { log(\"a  b\"); }", "void f() { log(\"a b\"); }",
                 {"~f: log(\"a  b\"); → log(\"a b\");"});
}

TEST(StatementPairs, DoLoopBody) {
  expect_changes("void f() { do { step(1); wait(2); } while (go); }",
                 "void f() { do { step(1); } while (go); }", {"-f: wait(2);"});
}

}  // namespace heddle
