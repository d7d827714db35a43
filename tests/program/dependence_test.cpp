#include <gtest/gtest.h>

#include "facts_builder.h"
#include "program/analyses.h"
#include "program/flow_graph.h"

namespace heddle::program {
namespace {

std::set<uint32_t> data_of(const Dependence& dependence, NodeId node) {
  std::set<uint32_t> result;
  for (const Dependence::On& on : dependence.depends_on(node)) {
    if (on.kind == Dependence::Kind::kData) result.insert(on.node.node);
  }
  return result;
}

TEST(Dependence, AStoreToALocalHidesEarlierOnes) {
  UnitFacts unit;
  FunctionBuilder f(unit, "main");
  const ValueId x = f.local();
  f.node("x = 1");
  f.store(x, f.constant());
  f.node("x = 2");
  f.store(x, f.constant());
  f.node("use x");
  f.load(x);
  f.ret();
  f.done();
  const Program program = unit.program();
  const Dependence dependence(program, PointsTo(program));
  EXPECT_EQ(data_of(dependence, {0, 2}), std::set<uint32_t>{1});
  EXPECT_TRUE(dependence.dependents({0, 0}).empty());
}

TEST(Dependence, ACalleeThatHasTheAddressIsSeenBesideOwnStores) {
  UnitFacts unit;
  FunctionBuilder set(unit, "set", 1);
  set.node("*p = 1");
  set.store(set.parameter(0), set.constant());
  set.ret();
  set.done();
  FunctionBuilder f(unit, "main");
  const ValueId x = f.local();
  f.node("x = 0");
  f.store(x, f.constant());
  f.node("set(&x)");
  f.call("set", {x});
  f.node("use x");
  f.load(x);
  f.ret();
  f.done();
  const Program program = unit.program();
  const Dependence dependence(program, PointsTo(program));
  const std::set<NodeId> slice = dependence.backward_slice({{1, 2}});
  EXPECT_TRUE(slice.contains({0, 0})) << "the callee's store";
  EXPECT_TRUE(slice.contains({1, 0}) && slice.contains({1, 1}));
  EXPECT_TRUE(dependence.forward_slice({{0, 0}}).contains({1, 2}));
}

TEST(Dependence, FieldsAreApart) {
  UnitFacts unit;
  const uint32_t s = unit.global("s", 16);
  FunctionBuilder f(unit, "main");
  f.node("s.a = 1");
  f.store(f.symbol(s), f.constant());
  f.node("s.b = 1");
  f.store(f.offset(f.symbol(s), 8), f.constant());
  f.node("use s.b");
  f.load(f.offset(f.symbol(s), 8));
  f.ret();
  f.done();
  const Program program = unit.program();
  const Dependence dependence(program, PointsTo(program));
  EXPECT_EQ(data_of(dependence, {0, 2}), std::set<uint32_t>{1});
}

TEST(FlowGraph, AnEndlessLoopHasPostDominatorsAndAHandlerDependsOnTheCall) {
  UnitFacts unit;
  FunctionBuilder f(unit, "f", 1);
  const uint32_t loop = f.block(), other = f.block(), handler = f.block(), after = f.block();
  f.branch(f.parameter(0), loop, other);
  f.at(loop);
  f.constant();
  f.jump(loop);
  f.at(other);
  f.call("may_throw");
  f.edge(after, "");
  f.edge(handler, "", true);
  f.at(handler);
  f.constant();
  f.jump(after);
  f.at(after);
  f.ret();
  f.done();
  using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
  const uint32_t entry = 5;
  EXPECT_EQ(FlowGraph::control_dependence(f.function()),
            (Pairs{{0, entry}, {loop, 0}, {other, 0}, {handler, other}, {after, 0}}));
}

}  // namespace
}  // namespace heddle::program
