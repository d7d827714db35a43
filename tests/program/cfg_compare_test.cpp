#include <gtest/gtest.h>

#include "facts_builder.h"
#include "program/analyses.h"

namespace heddle::program {
namespace {

// A function of statements in a row.
Function row(const std::vector<std::string>& statements) {
  UnitBuilder unit;
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
  EXPECT_EQ(matches[1].base_node, 0u) << "the nearest dominator that has a partner";
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
  UnitBuilder unit;
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
  EXPECT_EQ(matches[1].base_node, 0u);
}

TEST(CompareFunctions, ExceptionalEdgesDoNotCountAndHandlersAreComparedAsText) {
  EXPECT_EQ(partners(compare_functions(guarded(true, false), guarded(true, true))),
            (std::vector<uint32_t>{0, 1, 2, 3, kNone}));
  EXPECT_EQ(partners(compare_functions(guarded(true, true), guarded(true, true))),
            (std::vector<uint32_t>{0, 1, 2, 3, 4}));
}

TEST(CompareFunctions, SwappedBranchesDiffer) {
  auto choice = [](bool swapped) {
    UnitBuilder unit;
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

}  // namespace
}  // namespace heddle::program
