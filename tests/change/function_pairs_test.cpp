// Before and after, across functions: renamed, moved, split, joined.
#include <gtest/gtest.h>

#include "change/renamed_names.h"
#include "source_pairs.h"

namespace heddle {

namespace {

const std::string kBody = "{ std::lock_guard guard(mutex_); items_.push_back(value); ready_.notify_one(); }";

// "old→new" of functions that are in both under another name, "+new", "-old".
std::vector<std::string> function_lines(const StatementMap& map) {
  std::vector<std::string> lines;
  for (const FunctionChange& change : map.functions()) {
    const std::string before = change.old_function ? change.old_function->signature : "+";
    const std::string after = change.new_function ? change.new_function->signature : "-";
    if (change.renamed || !change.old_function || !change.new_function)
      lines.push_back(without_spaces(before + "→" + after));
  }
  return lines;
}
using Lines = std::vector<std::string>;

}  // namespace

TEST(FunctionPairs, ReorderedFunctionsAreNoChange) {
  const StatementMap map = map_of({{"a.cpp", "void f() { a(); }\nvoid g() { b(); }"}},
                                  {{"a.cpp", "void g() { b(); }\nvoid f() { a(); }"}});
  expect_changes(map, {});
  EXPECT_TRUE(map.functions().empty());
}

TEST(FunctionPairs, RenamedFunction) {
  const StatementMap map =
      map_of({{"a.cpp", "void Q::push(int value) " + kBody}}, {{"a.cpp", "void Q::add(int value) " + kBody}});
  expect_changes(map, {});
  EXPECT_EQ(function_lines(map), Lines{"Q::push(int)→Q::add(int)"});
  EXPECT_EQ(map.to_new(FunctionId{"a.cpp", "Q::push(int)"}), (FunctionId{"a.cpp", "Q::add(int)"}));
  EXPECT_EQ(map.to_old(FunctionId{"a.cpp", "Q::add(int)"}), (FunctionId{"a.cpp", "Q::push(int)"}));
}

TEST(FunctionPairs, FunctionMovedToAnotherFile) {
  const StatementMap map = map_of({{"a.cpp", "void f() { x = 1; go(x); }\nvoid g() { b(); }"}, {"b.cpp", ""}},
                                  {{"a.cpp", "void g() { b(); }"}, {"b.cpp", "void f() { x = 1; go(x); }"}});
  expect_changes(map, {});
  EXPECT_EQ(map.to_new(FunctionId{"a.cpp", "f()"}), (FunctionId{"b.cpp", "f()"}));
}

TEST(FunctionPairs, CallOfARenamedFunctionIsNoChange) {
  const std::string body = "{ lock(); for (int i = 0; i < n; ++i) add(i); unlock(); count(n); }";
  const StatementMap map = map_of({{"a.cpp", "void fill(int n) " + body + "void f() { g(); fill(3); }"}},
                                  {{"a.cpp", "void load(int n) " + body + "void f() { g(); load(3); }"}});
  expect_changes(map, {});
}

// The old name is still somebody's: to call another function is a change.
TEST(FunctionPairs, CallOfAnotherFunctionWithTheSameBodyIsAChange) {
  const std::string body = "{ lock(); for (int i = 0; i < n; ++i) add(i); unlock(); count(n); }";
  const StatementMap map = map_of(
      {{"a.cpp", "void fill(int n) " + body + "void f() { g(); fill(3); }"}},
      {{"a.cpp", "void fill(int n) " + body + "void load(int n) " + body + "void f() { g(); load(3); }"}});
  EXPECT_FALSE(map.has_changed_names_only());
}

// All of a class's names at once: its short functions can be told only by who calls them.
TEST(FunctionPairs, AllNamesRenamedAtOnceIsNoChange) {
  const auto sources = [](const std::map<std::string, std::string>& names) {
    const std::string header =
        "class Box { public: Box(); ~Box(); int size() const { return count(); } "
        "bool empty() const { return size() == 0; } void put(int value); private: "
        "int count() const { return n_; } int n_ = 0; };\nint total(const Box& box);";
    const std::string code =
        "Box::Box() {} Box::~Box() {} void Box::put(int value) { n_ += value; }\n"
        "int total(const Box& box) { return box.empty() ? 0 : box.size(); }\n"
        "void run() { Box box; std::vector<Box*> all; all.push_back(&box); box.put(total(box)); }";
    Sources result{{"a.h", header}, {"a.cpp", code}};
    for (auto& [path, text] : result) text = with_names(text, {names.begin(), names.end()});
    return result;
  };
  const StatementMap map = map_of(sources({}), sources({{"Box", "Crate"},
                                                        {"size", "length"},
                                                        {"count", "filled"},
                                                        {"empty", "is_empty"},
                                                        {"put", "add"},
                                                        {"total", "sum"},
                                                        {"n_", "filled_"}}));
  expect_changes(map, {});
  EXPECT_TRUE(map.has_changed_names_only());
  EXPECT_EQ(map.to_old(FunctionId{"a.h", "Crate::is_empty() const"}),
            (FunctionId{"a.h", "Box::empty() const"}));
  EXPECT_EQ(map.field_to_new("Box::n_"), "Crate::filled_");
  EXPECT_EQ(map.under_old_names("Crate::add"), "Box::put");
}

TEST(FunctionPairs, ChangesBesideRenamedNamesAreSeen) {
  const StatementMap map =
      map_of({{"a.cpp",
               "int one() { return x; } int two() { return y; } void three() { lock(); }\n"
               "void run() { use(one()); use(two()); three(); }"}},
             {{"a.cpp",
               "int uno() { return x; } int due() { return y; } void tre() { unlock(); }\n"
               "void run() { use(uno()); use(uno()); tre(); }"}});
  expect_changes(map, {"~run: use(two()); → use(uno());", "+tre: unlock();", "-three: lock();"});
}

// Two short functions that trade places: each call is another one's.
TEST(FunctionPairs, NamesThatWereSwappedAreAChange) {
  const StatementMap map = map_of({{"a.cpp",
                                    "void fast() { a(); } void slow() { b(); }\n"
                                    "void run() { fast(); slow(); }"}},
                                  {{"a.cpp",
                                    "void fast() { b(); } void slow() { a(); }\n"
                                    "void run() { fast(); slow(); }"}});
  EXPECT_FALSE(map.has_changed_names_only());
}

TEST(FunctionPairs, ANameThatIsStillSomebodysWasNotRenamed) {
  // `wipe` was there: to call it is another thing to do.
  const StatementMap map =
      map_of({{"a.cpp", "void clear() { n = 0; } void wipe() { m = 0; } void run() { clear(); wipe(); }"}},
             {{"a.cpp", "void wipe() { m = 0; } void run() { wipe(); wipe(); }"}});
  EXPECT_FALSE(map.has_changed_names_only());
  // A class of another file has a `lock_all`, and this may be a call of it.
  StatementMap::Files files;
  files.base.push_back(parse_source("a.cpp", "void A::hold() { m(); } void run(A& a) { a.hold(); }"));
  files.head.push_back(parse_source("a.cpp", "void A::lock_all() { m(); } void run(A& a) { a.lock_all(); }"));
  EXPECT_EQ(StatementMap(files).under_old_names("lock_all"), "hold");
  files.names_elsewhere.taken = {"lock_all"};
  EXPECT_EQ(StatementMap(files).under_old_names("lock_all"), "lock_all");
}

TEST(FunctionPairs, ANameThatIsUsedStillWasNotRenamedEverywhere) {
  // What `min` means in run() is now the library's.
  const StatementMap map = map_of(
      {{"a.cpp", "int min(int a, int b) { return a; } void run() { use(min(1, 2)); go(min(3, 4)); }"}},
      {{"a.cpp", "int low(int a, int b) { return a; } void run() { use(low(1, 2)); go(min(3, 4)); }"}});
  EXPECT_EQ(map.under_old_names("low"), "low");
  // As a member it may be another class's.
  const StatementMap member =
      map_of({{"a.cpp", "void Q::push(int v) { all_.push(v); } void run(Q& q) { q.push(1); }"}},
             {{"a.cpp", "void Q::add(int v) { all_.push(v); } void run(Q& q) { q.add(1); }"}});
  expect_changes(member, {});
}

// Who looks for a function by its name finds another one now, or none.
TEST(FunctionPairs, ANameThatIsSpelledOutWasNotRenamed) {
  const auto is_neutral = [](const std::string& macro, const std::string& use) {
    const auto text = [&](const std::string& name) {
      return macro + "void " + name + "() { lock(); ++total; unlock(); }\nvoid run() { " + name + "(); " +
             use + " }";
    };
    const auto after = [&](std::string source) {
      for (size_t at = 0; (at = source.find("(step)", at)) != std::string::npos;)
        source.replace(at, 6, "(safe_step)");
      return source;
    };
    return map_of({{"a.cpp", text("step")}}, {{"a.cpp", after(text("safe_step"))}}).has_changed_names_only();
  };
  EXPECT_TRUE(is_neutral("", ""));
  EXPECT_FALSE(is_neutral("", "look_up(\"step\");"));
  EXPECT_FALSE(is_neutral("", "look_up(\"all::step;\");"));
  EXPECT_TRUE(is_neutral("", "look_up(\"stepper\");"));
  EXPECT_TRUE(is_neutral("#define REGISTER(f) add(f)\n", "REGISTER(step);"));
  EXPECT_FALSE(is_neutral("#define REGISTER(f) add(#f, f)\n", "REGISTER(step);"));
  EXPECT_FALSE(is_neutral("#define NAME(f) #f\n#define REGISTER(f) add(NAME(f))\n", "REGISTER(step);"));
}

TEST(FunctionPairs, ANameThatAnotherFileGivesAMeaningWasNotRenamed) {
  const auto is_neutral = [](const NamesElsewhere& elsewhere) {
    StatementMap::Files files;
    files.base.push_back(parse_source("a.cpp", "void A::push() { m(); } void run(A& a) { a.push(); }"));
    files.head.push_back(parse_source("a.cpp", "void A::add() { m(); } void run(A& a) { a.add(); }"));
    files.names_elsewhere = elsewhere;
    return StatementMap(files).has_changed_names_only();
  };
  EXPECT_TRUE(is_neutral({}));
  EXPECT_FALSE(is_neutral({.taken = {}, .kept = {"push"}, .spelled = {}, .spelling_macros = {}}));
  EXPECT_FALSE(is_neutral({.taken = {}, .kept = {}, .spelled = {"push"}, .spelling_macros = {}}));
  const SourceFile base =
      parse_source("base.h", "struct Base { void push(int x) { items.size(); swap(x); } };");
  EXPECT_EQ(names_meant(base, {"push", "size", "swap"}), (std::set<std::string>{"push", "swap"}));
}

TEST(FunctionPairs, RenamedFile) {
  const StatementMap map = map_of({{"old.cpp", "void f() { x = 1; y(); }"}},
                                  {{"new.cpp", "void f() { x = 2; y(); }"}}, {{"old.cpp", "new.cpp"}});
  expect_changes(map, {"~f: x = 1; → x = 2;"});
}

TEST(FunctionPairs, AsGoodACandidateIsNoMatch) {
  // Either could be where f has gone.
  const StatementMap map = map_of({{"a.cpp", "void f() { one(1, 2, 3); two(4, 5, 6); }"}},
                                  {{"a.cpp",
                                    "void g() { one(1, 2, 3); two(4, 5, 6); }"
                                    "void h() { one(1, 2, 3); two(4, 5, 6); }"}});
  EXPECT_EQ(map.to_new(FunctionId{"a.cpp", "f()"}), std::nullopt);
}

TEST(FunctionPairs, ChangedParameters) {
  expect_changes("void f(int a) { one(a); two(); }",
                 "void f(int a, bool loud) { one(a); if (loud) say(); two(); }",
                 {"+f: if (loud)", "+f: say();"});
}

TEST(FunctionPairs, OverloadsStayApart) {
  expect_changes("void f(int a) { one(a); } void f(char a) { two(a); }",
                 "void f(char a) { two(a); } void f(int a) { one(a); more(); }", {"+f: more();"});
}

TEST(FunctionPairs, RenamedClassTakesItsSmallFunctionsAlong) {
  const auto source = [](const std::string& name) {
    return "class " + name + " { public: " + name + "() {} void push(int value) " + kBody +
           " int size() const { return n_; } bool empty() const { return n_ == 0; } int n_ = 0; };";
  };
  const StatementMap map = map_of({{"a.h", source("Queue")}}, {{"a.h", source("Fifo")}});
  expect_changes(map, {});
  EXPECT_EQ(map.to_new(FunctionId{"a.h", "Queue::size() const"}), (FunctionId{"a.h", "Fifo::size() const"}));
  EXPECT_EQ(map.to_new(FunctionId{"a.h", "Queue::Queue()"}), (FunctionId{"a.h", "Fifo::Fifo()"}));
  EXPECT_EQ(map.field_to_new("Queue::n_"), "Fifo::n_");
}

TEST(FunctionPairs, NamespaceAdded) {
  const std::string code = "int total = 0; void f() { ++total; } int g(int a) { return total + a; }";
  const StatementMap map = map_of({{"a.cpp", code}}, {{"a.cpp", "namespace app { " + code + " }"}});
  expect_changes(map, {});
  EXPECT_EQ(map.to_new(FunctionId{"a.cpp", "f()"}), (FunctionId{"a.cpp", "app::f()"}));
}

TEST(FunctionPairs, SplitFunction) {
  const StatementMap map =
      map_of({{"a.cpp", "void f(int n) {\n prepare(n);\n x_ = n * 2;\n cv_.notify_all();\n finish(n);\n}"}},
             {{"a.cpp",
               "void publish(int n) {\n x_ = n * 2;\n cv_.notify_all();\n}\n"
               "void f(int n) {\n prepare(n);\n publish(n);\n finish(n);\n}"}});
  expect_changes(map, {"+f: publish(n);"});
  const auto moved = map.to_new(*map.base_statement_at("a.cpp", 3, 0));
  ASSERT_TRUE(moved);
  EXPECT_EQ(moved->function.signature, "publish(int)");
}

TEST(FunctionPairs, FunctionJoinedIntoItsCaller) {
  expect_changes(
      "void publish(int n) { x_ = n * 2; cv_.notify_all(); } void f(int n) { prepare(n); publish(n); }",
      "void f(int n) { prepare(n); x_ = n * 2; cv_.notify_all(); }", {"-f: publish(n);"});
}

TEST(FunctionPairs, AddedAndRemovedFunctions) {
  const StatementMap map = map_of({{"a.cpp", "void f() { a(1); }"}}, {{"a.cpp", "void g() { b(2); }"}});
  expect_changes(map, {"-f: a(1);", "+g: b(2);"});
  EXPECT_EQ(map.functions().size(), 2u);
}

TEST(FunctionPairs, TemplateBody) {
  expect_changes(
      "template <class T> class Q { void push(T v); };\n"
      "template <class T> void Q<T>::push(T v) { items_.push_back(v); }",
      "template <class T> class Q { void push(T v); };\n"
      "template <typename U> void Q<U>::push(T v) { items_.push_front(v); }",
      {"~Q::push: items_.push_back(v); → items_.push_front(v);"});
}

TEST(FunctionPairs, MovedOutOfTheClass) {
  expect_changes("class Q { int get() { lock(); return n_; } int n_; };",
                 "class Q { int get(); int n_; };\nint Q::get() { lock(); return n_; }", {});
}

TEST(FunctionPairs, TestMacrosAreFunctions) {
  expect_changes("TEST(Q, One) { run(1); } TEST(Q, Two) { run(2); }",
                 "TEST(Q, One) { run(1); } TEST(Q, Two) { run(3); }", {"~TEST(Q, Two): run(2); → run(3);"});
}

TEST(FunctionPairs, FunctionMovedToAnotherClass) {
  const StatementMap map = map_of({{"a.cpp", "void Q::push(int value) " + kBody}},
                                  {{"a.cpp", "void Store::push(int value) " + kBody}});
  expect_changes(map, {});
  EXPECT_EQ(function_lines(map), Lines{"Q::push(int)→Store::push(int)"});
}

TEST(FunctionPairs, FileThatWasNotGivenIsItself) {
  const StatementMap map = map_of({}, {});
  const StatementId id{{"other.cpp", "f()"}, 3};
  EXPECT_EQ(map.to_new(id), id);
  EXPECT_EQ(map.to_old(id), id);
}

TEST(FunctionPairs, InnermostStatementOfALine) {
  const StatementMap map = map_of({}, {{"a.cpp", "void f() {\n  run([&] { one(); }); two();\n}"}});
  EXPECT_EQ(without_spaces(map.find_head(*map.head_statement_at("a.cpp", 2, 0))->text), "run([&]{});");
  EXPECT_EQ(without_spaces(map.find_head(*map.head_statement_at("a.cpp", 2, 14))->text), "one();");
  EXPECT_EQ(without_spaces(map.find_head(*map.head_statement_at("a.cpp", 2, 25))->text), "two();");
  EXPECT_FALSE(map.head_statement_at("a.cpp", 9, 0));
}

}  // namespace heddle
