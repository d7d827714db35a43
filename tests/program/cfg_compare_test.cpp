#include <gtest/gtest.h>

#include "facts_builder.h"
#include "program/analyses.h"

namespace heddle::program {
namespace {

// A function of statements in a row.
Function row(const std::vector<std::string>& statements) {
  UnitFacts unit;
  FunctionBuilder f(unit, "f");
  for (const std::string& statement : statements) {
    f.node(statement);
    f.constant();
  }
  f.done();
  return f.function();
}

std::vector<uint32_t> partners(const std::vector<NodeMatch>& matches) {
  std::vector<uint32_t> result;
  for (const NodeMatch& match : matches) result.push_back(match.is_equal ? match.base_node : kNone);
  return result;
}

TEST(CompareFunctions, AnAddedStatementIsTheOnlyOneWithoutPartner) {
  const auto matches = compare_functions(row({"a", "b", "c"}), row({"a", "x", "b", "c"}));
  EXPECT_EQ(partners(matches), (std::vector<uint32_t>{0, kNone, 1, 2}));
  EXPECT_EQ(matches[1].base_node, 1u) << "what stood there: it was executed when this would have been";
}

TEST(CompareFunctions, RemovedAndChangedStatementsDoNotDisturbTheRest) {
  EXPECT_EQ(partners(compare_functions(row({"a", "b", "c", "d"}), row({"a", "d"}))),
            (std::vector<uint32_t>{0, 3}));
  EXPECT_EQ(partners(compare_functions(row({"a", "b", "c"}), row({"a", "y", "c"}))),
            (std::vector<uint32_t>{0, kNone, 2}));
  EXPECT_EQ(partners(compare_functions(row({"a", "c"}), row({"a", "a", "c"}))),
            (std::vector<uint32_t>{0, kNone, 1}));
}

// if (condition) { then } after — `guarded` without it: then; after.
Function guarded(bool with_condition, bool with_handler) {
  UnitFacts unit;
  FunctionBuilder f(unit, "f");
  f.node("before");
  f.constant();
  const uint32_t then = f.block(), after = f.block(), handler = f.block();
  if (with_condition) {
    f.node("condition");
    f.branch(f.constant(), then, after);
  } else {
    f.jump(then);
  }
  f.at(then);
  f.node("then");
  f.call("something");
  f.edge(after, "");
  if (with_handler) f.edge(handler, "", true);
  f.at(after);
  f.node("after");
  f.ret();
  f.at(handler);
  if (with_handler) f.node("handler");
  f.ret();
  f.done();
  return f.function();
}

TEST(CompareFunctions, AnAddedGuardLeavesWhatItGuardsMatched) {
  const auto matches = compare_functions(guarded(false, false), guarded(true, false));
  EXPECT_EQ(partners(matches), (std::vector<uint32_t>{0, kNone, 1, 2}));
  EXPECT_EQ(matches[1].base_node, 1u);
}

TEST(CompareFunctions, ExceptionalEdgesDoNotCountAndHandlersAreComparedAsText) {
  EXPECT_EQ(partners(compare_functions(guarded(true, false), guarded(true, true))),
            (std::vector<uint32_t>{0, 1, 2, 3, kNone}));
  EXPECT_EQ(partners(compare_functions(guarded(true, true), guarded(true, true))),
            (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

TEST(CompareFunctions, SwappedBranchesDiffer) {
  auto choice = [](bool swapped) {
    UnitFacts unit;
    FunctionBuilder f(unit, "f");
    f.node("condition");
    const uint32_t yes = f.block(), no = f.block();
    f.branch(f.constant(), yes, no);
    f.at(yes);
    f.node(swapped ? "b" : "a");
    f.ret();
    f.at(no);
    f.node(swapped ? "a" : "b");
    f.ret();
    f.done();
    return f.function();
  };
  EXPECT_EQ(partners(compare_functions(choice(false), choice(false))), (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(partners(compare_functions(choice(false), choice(true))),
            (std::vector<uint32_t>{0, kNone, kNone}));
}

// The statements of the text's only function in a row, as extraction gives them to nodes.
Function written(const std::string& text) {
  UnitFacts unit;
  FunctionBuilder f(unit, "f");
  const SourceFile file = parse_source("a.cpp", text);
  for (const SourceStatement& statement : file.functions.at(0).statements) {
    f.node({"a.cpp", statement.range, statement.text, statement.normal});
    f.constant();
  }
  f.done();
  return f.function();
}

TEST(CompareFunctions, AnAddedGuardLeavesStatementsWithLocalsEqual) {
  const auto matches =
      compare_functions(written("int f() { int a = g(); int b = a + n; return b; }"),
                        written("int f() { Guard guard(m); int a = g(); int b = a + n; return b; }"));
  ASSERT_EQ(matches.size(), 5u) << "with the end of the guard's scope";
  EXPECT_EQ(partners(matches), (std::vector<uint32_t>{kNone, 0, 1, 2, kNone}));
}

TEST(CompareFunctions, RenamedLocalsAndParametersAreEqual) {
  EXPECT_EQ(partners(compare_functions(written("int f(int p) { int a = g(p); h(a); return a + p; }"),
                                       written("int f(int q) { int sum = g(q); h(sum); return sum + q; }"))),
            (std::vector<uint32_t>{0, 1, 2}));
}

TEST(CompareFunctions, AnotherVariableInItsPlaceIsADifference) {
  EXPECT_EQ(partners(compare_functions(written("int f(int p, int q) { h(p); return p + q; }"),
                                       written("int f(int p, int q) { h(q); return p + q; }"))),
            (std::vector<uint32_t>{kNone, 1}));
  EXPECT_EQ(partners(compare_functions(written("void f() { g(n); h(); }"),
                                       written("void f(int n) { g(n); h(); }"))),
            (std::vector<uint32_t>{kNone, 1}))
      << "a parameter is not the global of that name";
}

TEST(CompareFunctions, BranchesOfARewrittenConditionCorrespond) {
  auto choice = [](const std::string& condition, bool with_check) {
    UnitFacts unit;
    FunctionBuilder f(unit, "f");
    if (with_check) {
      const uint32_t bad = f.block(), good = f.block();
      f.node("check");
      f.branch(f.constant(), bad, good);
      f.at(bad);
      f.node("fail");
      f.ret();
      f.at(good);
    }
    const uint32_t yes = f.block(), no = f.block(), after = f.block();
    f.node(condition);
    f.branch(f.constant(), yes, no);
    f.at(yes);
    f.node("a");
    f.constant();
    f.jump(after);
    f.at(no);
    f.node("b");
    f.constant();
    f.jump(after);
    f.at(after);
    f.node("after");
    f.ret();
    f.done();
    return f.function();
  };
  EXPECT_EQ(partners(compare_functions(choice("x > 0", false), choice("x >= 0", false))),
            (std::vector<uint32_t>{kNone, 1, 2, 3}));
  EXPECT_EQ(partners(compare_functions(choice("x > 0", false), choice("x > 0", true))),
            (std::vector<uint32_t>{kNone, kNone, 0, 1, 2, 3}))
      << "a check added before it is no rewritten condition";
}

}  // namespace
}  // namespace heddle::program
