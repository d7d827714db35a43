// Before and after, outside of functions: declarations, macros and headers, and the statements that they
// change.
#include <gtest/gtest.h>

#include "source_pairs.h"

namespace heddle {

TEST(DeclarationPairs, FieldIsNoLongerAtomic) {
  const StatementMap map = map_of({{"q.h", "class Q { void f(); void g(); std::atomic<int> n_; int m_; };"},
                                   {"q.cpp", "void Q::f() { ++n_; ++m_; }\nvoid Q::g() { ++m_; }"}},
                                  {{"q.h", "class Q { void f(); void g(); int n_; int m_; };"},
                                   {"q.cpp", "void Q::f() { ++n_; ++m_; }\nvoid Q::g() { ++m_; }"}});
  expect_changes(map, {"decl~Q::f: ++n_;"});
  EXPECT_EQ(map.changes()[0].because, "field Q::n_ was `std::atomic<int>`, is `int`");
  EXPECT_TRUE(map.changes()[0].old_statement);
  EXPECT_EQ(map.declarations().size(), 1u);
}

TEST(DeclarationPairs, FieldOfAnotherClassIsLeftAlone) {
  expect_changes(
      "struct A { int n; }; struct B { int n; }; void f(A& a, B& b) { a.n = 1; b.n = 2; }",
      "struct A { volatile int n; }; struct B { int n; }; void f(A& a, B& b) { a.n = 1; b.n = 2; }",
      {"decl~f: a.n = 1;"});
}

TEST(DeclarationPairs, FieldOfAnUnknownObjectIsTakenByItsName) {
  const StatementMap map = map_of({{"a.cpp", "struct A { int n; }; void f() { get().n = 1; }"}},
                                  {{"a.cpp", "struct A { long n; }; void f() { get().n = 1; }"}});
  expect_changes(map, {"decl~f: get().n = 1;"});
  EXPECT_NE(map.changes()[0].because.find("by its name"), std::string::npos);
}

TEST(DeclarationPairs, LocalOfTheSameNameIsNotTheField) {
  expect_changes("struct A { int n; void f() { int n = 0; use(n); } };",
                 "struct A { long n; void f() { int n = 0; use(n); } };", {});
}

TEST(DeclarationPairs, GuardAttribute) {
  expect_changes("class Q { int n_; void f() { ++n_; } };",
                 "class Q { int n_ GUARDED_BY(m_); void f() { ++n_; } };", {"decl~Q::f: ++n_;"});
}

TEST(DeclarationPairs, ConstantHasAnotherValue) {
  expect_changes("constexpr int kSize = 4; void f() { run(kSize); }",
                 "constexpr int kSize = 8; void f() { run(kSize); }", {"decl~f: run(kSize);"});
}

TEST(DeclarationPairs, InitialValueOfAVariableDoesNotChangeItsUses) {
  const StatementMap map =
      map_of({{"a.cpp", "int n = 4; void f() { run(n); }"}}, {{"a.cpp", "int n = 8; void f() { run(n); }"}});
  expect_changes(map, {});
  EXPECT_EQ(map.declarations().size(), 1u);
}

TEST(DeclarationPairs, RenamedField) {
  const StatementMap map =
      map_of({{"a.cpp", "struct Q { int a_; int size_; int b_; void f() { ++size_; } };"}},
             {{"a.cpp", "struct Q { int a_; int count_; int b_; void f() { ++count_; } };"}});
  expect_changes(map, {});
  EXPECT_TRUE(map.has_changed_names_only());
  EXPECT_EQ(map.field_to_new("Q::size_"), "Q::count_");
  EXPECT_EQ(map.field_to_new("Q::a_"), "Q::a_");
  EXPECT_EQ(map.field_to_new("Q::none_"), std::nullopt);
}

// One is part of the other's type.
TEST(DeclarationPairs, RenamedFieldAndConstant) {
  const StatementMap map =
      map_of({{"a.cpp",
               "struct Q { static constexpr int kMost = 4; std::array<int, kMost> kept_; "
               "std::array<int, kMost> left; void f() { ++kept_[0]; ++left[1]; } };"}},
             {{"a.cpp",
               "struct Q { static constexpr int kAll = 4; std::array<int, kAll> held_; "
               "std::array<int, kAll> left; void f() { ++held_[0]; ++left[1]; } };"}});
  expect_changes(map, {});
  EXPECT_TRUE(map.has_changed_names_only());
  EXPECT_EQ(map.field_to_new("Q::kept_"), "Q::held_");
}

TEST(DeclarationPairs, FieldWhoseConstantIsAnotherOneChanges) {
  const StatementMap map = map_of({{"a.cpp",
                                    "struct Q { static constexpr int kMost = 4; std::array<int, kMost> left; "
                                    "void f() { ++left[1]; } };"}},
                                  {{"a.cpp",
                                    "struct Q { static constexpr int kAll = 5; std::array<int, kAll> left; "
                                    "void f() { ++left[1]; } };"}});
  expect_changes(map, {"decl~Q::f: ++left[1];"});
}

// In another class, the new name was there before: to use it there is a change.
TEST(DeclarationPairs, RenamedFieldWithANameThatAnotherClassHas) {
  const StatementMap map = map_of({{"a.cpp",
                                    "struct Q { int size_; void f() { ++size_; } };\n"
                                    "struct R { int size_; int count_; void f() { ++size_; } };"}},
                                  {{"a.cpp",
                                    "struct Q { int count_; void f() { ++count_; } };\n"
                                    "struct R { int size_; int count_; void f() { ++count_; } };"}});
  expect_changes(map, {"~Q::f: ++size_; → ++count_;", "~R::f: ++size_; → ++count_;"});
}

TEST(DeclarationPairs, ReorderedFieldsAreNoChange) {
  const StatementMap map =
      map_of({{"a.h", "struct Q { int a; long b; };"}}, {{"a.h", "struct Q { long b; int a; };"}});
  EXPECT_TRUE(map.declarations().empty());
}

TEST(DeclarationPairs, EnumeratorInsertedShiftsThoseAfterIt) {
  expect_changes("enum E { kA, kB }; void f() { use(kA); } void g() { use(kB); }",
                 "enum E { kA, kNew, kB }; void f() { use(kA); } void g() { use(kB); }",
                 {"decl~g: use(kB);"});
}

TEST(DeclarationPairs, AliasChangesTheFieldsOfItsType) {
  expect_changes("using Count = std::atomic<int>; struct Q { Count n_; void f() { ++n_; } };",
                 "using Count = int; struct Q { Count n_; void f() { ++n_; } };", {"decl~Q::f: ++n_;"});
}

TEST(DeclarationPairs, DefaultArgument) {
  expect_changes("void wait(int ms = 5); void f() { wait(); }", "void wait(int ms = 9); void f() { wait(); }",
                 {"decl~f: wait();"});
}

TEST(DeclarationPairs, ParameterNameInAPrototypeIsNoChange) {
  const StatementMap map = map_of({{"a.cpp", "void g(int a); void f() { g(1); }"}},
                                  {{"a.cpp", "void g(int b); void f() { g(1); }"}});
  expect_changes(map, {});
  EXPECT_TRUE(map.declarations().empty());
}

TEST(DeclarationPairs, MacroChangesItsUsers) {
  const StatementMap map =
      map_of({{"a.cpp", "#define SIZE 4\nvoid f() { run(SIZE); }\nvoid g() { run(1); }"}},
             {{"a.cpp", "#define SIZE 8\nvoid f() { run(SIZE); }\nvoid g() { run(1); }"}});
  expect_changes(map, {"macro~f: run(SIZE);"});
}

TEST(DeclarationPairs, MacroThroughAnotherMacroInAHeader) {
  expect_changes(map_of({{"m.h", "#define RAW(m) m.lock()\n#define LOCK(m) RAW(m)"},
                         {"a.cpp", "void f() { LOCK(a); ++x; }"}},
                        {{"m.h", "#define RAW(m) (void)0\n#define LOCK(m) RAW(m)"},
                         {"a.cpp", "void f() { LOCK(a); ++x; }"}}),
                 {"macro~f: LOCK(a);"});
}

TEST(DeclarationPairs, MacroInADeclaration) {
  expect_changes("#define COUNT int\nCOUNT n; void f() { ++n; }",
                 "#define COUNT std::atomic<int>\nCOUNT n; void f() { ++n; }", {"macro~f: ++n;"});
}

TEST(DeclarationPairs, CommentInAMacroIsNoChange) {
  expect_changes("#define SIZE 4\nvoid f() { run(SIZE); }",
                 "#define SIZE \\\n  4  // bytes\nvoid f() { run(SIZE); }", {});
}

TEST(DeclarationPairs, InlineFunctionInAHeader) {
  expect_changes(map_of({{"q.h", "#ifndef Q_H\n#define Q_H\ninline int one() { return 1; }\n#endif"}},
                        {{"q.h", "#ifndef NEW_H\n#define NEW_H\ninline int one() { return 2; }\n#endif"}}),
                 {"~one: return 1; → return 2;"});
}

TEST(DeclarationPairs, MacroOfAUnitIsThatUnitsBusiness) {
  const std::string user = "#define X(n) n,\nint g() { return LIST(X); }";
  const auto with = [&](const std::string& x) {
    return Sources{{"a.cpp", "#define X(n) " + x + "\nint f() { return LIST(X); }"}, {"b.cpp", user}};
  };
  expect_changes(map_of(with("n;"), with("n+")), {"macro~f: return LIST(X);"});
  // Unless another file includes it.
  auto before = with("n;"), after = with("n+");
  before["b.cpp"] = after["b.cpp"] = "#include \"a.cpp\"\nint g() { return LIST(X); }";
  expect_changes(map_of(before, after), {"macro~f: return LIST(X);", "macro~g: return LIST(X);"});
}

TEST(DeclarationPairs, MacroOfARenamedUnitIsTheSame) {
  const std::string text = "#define X(n) n,\nint f() { return LIST(X); }";
  expect_changes(map_of({{"a.cpp", text}}, {{"b.cpp", text}}, {{"a.cpp", "b.cpp"}}), {});
}

TEST(DeclarationPairs, GlobalOfAnotherNamespaceIsLeftAlone) {
  expect_changes("namespace a { int n; void f() { ++n; } } namespace b { int n; void f() { --n; } }",
                 "namespace a { long n; void f() { ++n; } } namespace b { int n; void f() { --n; } }",
                 {"decl~a::f: ++n;"});
}

TEST(DeclarationPairs, TextThatIsNotUnderstoodCountsIfItDiffers) {
  expect_changes("DEFINE_FLAG(threads, 4)\nvoid f() { a(); }", "DEFINE_FLAG(threads, 4)\nvoid f() { a(); }",
                 {});
  const StatementMap map = map_of({{"a.cpp", "DEFINE_FLAG(threads, 4)\nvoid f() { a(); }"}},
                                  {{"a.cpp", "DEFINE_FLAG(threads, 8)\nvoid f() { a(); }"}});
  ASSERT_EQ(map.changes().size(), 2u);
  EXPECT_EQ(map.changes()[0].reason, ChangeReason::kUnknown);
}

TEST(DeclarationPairs, MutexIsNoLongerRecursive) {
  expect_changes("struct Q { std::recursive_mutex m; void f() { m.lock(); } };",
                 "struct Q { std::mutex m; void f() { m.lock(); } };", {"decl~Q::f: m.lock();"});
}

TEST(DeclarationPairs, ThreadLocalIsGone) {
  expect_changes("thread_local int n; void f() { ++n; }", "int n; void f() { ++n; }", {"decl~f: ++n;"});
}

TEST(DeclarationPairs, CommentsOnlyInAHeader) {
  const StatementMap map = map_of({{"a.h", "// old\nstruct Q { int n; /* x */ };\nextern int m;"}},
                                  {{"a.h", "// new\nstruct Q {\n  int n;\n};\nextern int m;  // y"}});
  expect_changes(map, {});
  EXPECT_TRUE(map.declarations().empty());
  EXPECT_TRUE(map.functions().empty());
}

TEST(DeclarationPairs, MacroThatDecidesWhatIsCompiled) {
  const std::string text =
      "int n;\nvoid f() {\n#if USE_LOCK\n  lock();\n#endif\n  ++n;\n#ifdef OTHER\n  g();\n#endif\n}";
  expect_changes("#define USE_LOCK 1\n" + text, "#define USE_LOCK 0\n" + text, {"macro~f: lock();"});
  expect_changes(text, "#define OTHER\n" + text, {"macro~f: g();"});
  // Another file's own macro of that name decides nothing here.
  expect_changes(map_of({{"a.cpp", text}, {"b.cpp", "#define USE_LOCK 1\nvoid g() {}"}},
                        {{"a.cpp", text}, {"b.cpp", "#define USE_LOCK 0\nvoid g() {}"}}),
                 {});
}

TEST(DeclarationPairs, MacrosUnderTheOppositeCondition) {
  const std::string rest = "SAFE\n#define LOCK()\n#else\n#define LOCK() lock()\n#endif\nvoid f() { LOCK(); }";
  expect_changes("#ifdef " + rest, "#ifndef " + rest, {"macro~f: LOCK();"});
}

TEST(DeclarationPairs, DeclarationsUnderTheOppositeCondition) {
  const std::string rest = "SAFE\nstd::atomic<int> n;\n#else\nint n;\n#endif\nvoid f() { ++n; }";
  expect_changes("#ifdef " + rest, "#ifndef " + rest, {"decl~f: ++n;"});
}

TEST(DeclarationPairs, DeclarationThatAChangedMacroChooses) {
  const std::string rest =
      "#if SAFE\nstd::atomic<int> n;\n#else\nint n;\n#endif\nint m;\nvoid f() { ++n; ++m; }";
  expect_changes("#define SAFE 1\n" + rest, "#define SAFE 0\n" + rest, {"macro~f: ++n;"});
}

TEST(DeclarationPairs, StorageOfALocalChangesItsUses) {
  expect_changes("int f() { static int n = 0; g(); return ++n; }",
                 "int f() { thread_local int n = 0; g(); return ++n; }",
                 {"~f: static int n = 0; → thread_local int n = 0;", "decl~f: return ++n;"});
  expect_changes("int f() { const static int n = 0; return n; }",
                 "int f() { static const int n = 0; return n; }",
                 {"~f: const static int n = 0; → static const int n = 0;"});
}

TEST(DeclarationPairs, AnotherInitialValueLeavesUsesAlone) {
  for (const char* after : {"int n = 2;", "int n(2);", "int n{2};"})
    expect_changes(std::string("int n(1); void f() { ++n; }"), std::string(after) + " void f() { ++n; }", {});
  expect_changes("int n GUARDED_BY(a); void f() { ++n; }", "int n GUARDED_BY(b); void f() { ++n; }",
                 {"decl~f: ++n;"});
}

TEST(DeclarationPairs, LambdasOutsideFunctionsAreCode) {
  expect_changes("int n; auto h = [](int i) { n = i; go(); };",
                 "int n; auto h = [](int k) { n = k + 1; go(); };",
                 {"~h (initializer): n = i; → n = k + 1;"});
  expect_changes("std::thread t([] { ++n; go(); });", "std::thread t([] { go(); });",
                 {"-t (initializer): ++n;"});
  expect_changes("std::map<int, F> t = {{1, [] { a(); b(); }}, {2, [] { c(); d(); }}};",
                 "std::map<int, F> t = {{1, [] { a(); b(); }}, {2, [] { lock(); c(); d(); }}};",
                 {"+t (initializer): lock();"});
  expect_changes("struct S { std::atomic<int> n; F f = [this] { ++n; go(); }; };",
                 "struct S { int n; F f = [this] { ++n; go(); }; };", {"decl~S::f (initializer): ++n;"});
}

TEST(DeclarationPairs, LocalsOfALambdaInAConstant) {
  const std::string users = "void run() { kSteps[0](2); }";
  expect_changes("const Step kSteps[] = {[](int n) { go(n); }}; " + users,
                 "const Step kSteps[] = {[](int count) { go(count); }}; " + users, {});
  expect_changes("const Step kSteps[] = {[](int n) { go(n); }}; " + users,
                 "const Step kSteps[] = {[](int n) { go(n); go(n); }}; " + users,
                 {"+kSteps (initializer): go(n);"});
  expect_changes("const int kSizes[] = {a[1], 2}; void run() { use(kSizes); }",
                 "const int kSizes[] = {a[2], 2}; void run() { use(kSizes); }", {"decl~run: use(kSizes);"});
}

TEST(DeclarationPairs, PartsOfLocalsThatWereRenamed) {
  const auto source = [](const std::string& queue, const std::string& mutex) {
    return "struct Queue { std::mutex " + mutex + "; }; void f() { Queue " + queue + "; use(" + queue +
           "); lock(" + queue + "." + mutex + "); } void g() { int n = 0; use(n); }";
  };
  const StatementMap map = map_of({{"a.cpp", source("queue", "m_")}}, {{"a.cpp", source("jobs", "mutex_")}});
  EXPECT_EQ(map.local_under_old_names("jobs.mutex_"), "queue.m_");
  EXPECT_EQ(map.local_under_old_names("n"), "n");
  EXPECT_EQ(map.local_under_old_names("jobs[2].other"), "queue[2].other");
}

}  // namespace heddle
