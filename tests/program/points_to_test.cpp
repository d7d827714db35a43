#include <gtest/gtest.h>

#include <algorithm>

#include "facts_builder.h"
#include "program/analyses.h"

namespace heddle::program {
namespace {

std::set<std::string> names(const PointsTo& points_to, const std::vector<Pointee>& pointees) {
  std::set<std::string> result;
  for (const Pointee& pointee : pointees) result.insert(points_to.objects()[pointee.object].name);
  return result;
}

using Names = std::set<std::string>;

TEST(PointsTo, FollowsPointersThroughMemoryAndTellsFieldsApart) {
  UnitFacts unit;
  const uint32_t a = unit.global("a"), b = unit.global("b"), s = unit.global("s", 16);
  FunctionBuilder f(unit, "main");
  f.store(f.symbol(s), f.symbol(a));
  f.store(f.offset(f.symbol(s), 8), f.symbol(b));
  const ValueId first = f.load(f.symbol(s));
  const ValueId second = f.load(f.offset(f.symbol(s), 8));
  f.ret();
  f.done();
  const Program program = unit.program();
  const PointsTo points_to(program);
  EXPECT_EQ(names(points_to, points_to.pointees(0, first)), Names{"a"});
  EXPECT_EQ(names(points_to, points_to.pointees(0, second)), Names{"b"});
}

TEST(PointsTo, ElementsOfAnArrayAreOnePlace) {
  UnitFacts unit;
  const uint32_t a = unit.global("a"), b = unit.global("b"), array = unit.global("array", 64);
  FunctionBuilder f(unit, "main", 1);
  const ValueId other = f.load(f.offset(f.symbol(array), 24));
  f.store(f.element(f.symbol(array), f.parameter(0), 16), f.symbol(a));
  f.store(f.offset(f.element(f.symbol(array), f.parameter(0), 16), 8), f.symbol(b));
  const ValueId constant = f.load(f.offset(f.symbol(array), 32));
  f.ret();
  f.done();
  const Program program = unit.program();
  const PointsTo points_to(program);
  EXPECT_EQ(names(points_to, points_to.pointees(0, constant)), Names{"a"});
  EXPECT_EQ(names(points_to, points_to.pointees(0, other)), Names{"b"});
}

TEST(PointsTo, FindsCalleesOfFunctionPointersOnTheWay) {
  UnitFacts unit;
  const uint32_t g = unit.global("g");
  FunctionBuilder callee(unit, "callee", 1);
  callee.ret(callee.parameter(0));
  callee.done();
  FunctionBuilder f(unit, "main");
  const ValueId slot = f.local(8, "slot");
  f.store(slot, f.symbol(unit.function("callee")));
  const ValueId result = f.call_value(f.load(slot), {f.symbol(g)});
  const auto [block, op] = f.last();
  f.ret();
  f.done();
  const Program program = unit.program();
  const PointsTo points_to(program);
  EXPECT_EQ(points_to.callees({1, block, op}), std::vector<FunctionIndex>{0});
  EXPECT_EQ(points_to.callers(0), (std::vector<OpId>{{1, block, op}}));
  EXPECT_EQ(names(points_to, points_to.pointees(1, result)), Names{"g"});
}

TEST(PointsTo, VirtualCallsTakeTheSlotOfTheClassesThatWereMade) {
  UnitFacts unit;
  for (const char* name : {"A::f", "A::g", "B::f", "B::g", "C::f", "C::g"}) {
    FunctionBuilder(unit, name, 1).ret();
  }
  auto vtable = [&](const std::string& name) {
    return unit.global("vtable " + name, 16, {unit.function(name + "::f"), unit.function(name + "::g")});
  };
  auto slots = [&](const std::string& name) {
    return std::vector<uint32_t>{unit.function(name + "::f"), unit.function(name + "::g")};
  };
  const uint32_t a = unit.add_class("A", {}, slots("A"));
  unit.add_class("B", {a}, slots("B"));
  unit.add_class("C", {a}, slots("C"));
  const uint32_t b_table = vtable("B");
  vtable("C");
  FunctionBuilder f(unit, "main");
  const ValueId object = f.call("_Znwm", {f.constant(8)});
  f.store(object, f.symbol(b_table));
  f.call_virtual(f.load(f.offset(f.load(object), 8)), a, 1, {object});
  const auto known = f.last();
  const ValueId unknown = f.call("get_some_a");
  f.call_virtual(f.load(f.offset(f.load(unknown), 8)), a, 1, {unknown});
  const auto any = f.last();
  f.ret();
  f.done();
  const Program program = unit.program();
  const PointsTo points_to(program);
  const FunctionIndex main = program.find("main")[0];
  EXPECT_EQ(points_to.callees({main, known.first, known.second}), program.find("B::g"));
  EXPECT_EQ(points_to.callees({main, any.first, any.second}).size(), 3u) << "every class's g";
}

TEST(PointsTo, WhatUnknownCodeGetsEscapesWithAllThatItReaches) {
  UnitFacts unit;
  const uint32_t g = unit.global("g"), inner = unit.global("inner"), kept = unit.global("kept");
  FunctionBuilder f(unit, "main");
  f.store(f.symbol(g), f.symbol(inner));
  f.call("unknown_function", {f.symbol(g)});
  f.call("strlen", {f.symbol(kept)});
  const ValueId loaded = f.load(f.symbol(inner));
  f.ret();
  f.done();
  const Program program = unit.program();
  const PointsTo points_to(program);
  std::set<std::string> escaped;
  for (ObjectId object = 1; object < points_to.objects().size(); ++object) {
    if (points_to.has_escaped(object)) escaped.insert(points_to.objects()[object].name);
  }
  EXPECT_TRUE(escaped.contains("g") && escaped.contains("inner"));
  EXPECT_FALSE(escaped.contains("kept"));
  EXPECT_EQ(points_to.pointees(0, loaded), (std::vector<Pointee>{{kUnknownObject, 0}}));
}

TEST(PointsTo, ThreadsOfPthreadAndStdThreadHaveEntries) {
  UnitFacts unit;
  FunctionBuilder worker(unit, "worker", 1);
  const ValueId seen = worker.load(worker.parameter(0));
  worker.ret();
  worker.done();
  FunctionBuilder run(unit, "State_impl::_M_run", 1);
  run.ret();
  run.done();
  FunctionBuilder destroy(unit, "State_impl::~State_impl", 1);
  destroy.ret();
  destroy.done();
  const uint32_t table = unit.global(
      "vtable", 24, {unit.function("State_impl::~State_impl"), unit.function("State_impl::_M_run")});
  const uint32_t data = unit.global("data");
  FunctionBuilder f(unit, "main");
  const ValueId argument = f.local(8, "argument");
  f.store(argument, f.symbol(data));
  f.call("pthread_create", {f.local(), f.constant(), f.symbol(unit.function("worker")), argument});
  const ValueId state = f.call("_Znwm", {f.constant(16)});
  f.store(state, f.offset(f.symbol(table), 16));
  const ValueId owner = f.local();
  f.store(owner, state);
  f.call("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
         {f.local(), owner, f.constant()});
  f.ret();
  f.done();
  const Program program = unit.program();
  const PointsTo points_to(program);
  EXPECT_EQ(points_to.thread_entries(), (std::set<FunctionIndex>{0, 1}));
  EXPECT_EQ(names(points_to, points_to.pointees(0, seen)), Names{"data"});
}

TEST(PointsTo, CopiedMemoryTakesItsPointersAlong) {
  UnitFacts unit;
  const uint32_t a = unit.global("a"), b = unit.global("b");
  FunctionBuilder f(unit, "main");
  const ValueId from = f.local(24, "from"), to = f.local(40, "to");
  f.copy(f.offset(to, 16), from, 16);
  f.store(from, f.symbol(a));
  f.store(f.offset(from, 16), f.symbol(b));
  const ValueId copied = f.load(f.offset(to, 16));
  const ValueId beyond = f.load(f.offset(to, 32));
  f.ret();
  f.done();
  const Program program = unit.program();
  const PointsTo points_to(program);
  EXPECT_EQ(names(points_to, points_to.pointees(0, copied)), Names{"a"});
  EXPECT_TRUE(points_to.pointees(0, beyond).empty());
}

// What clang makes of `#pragma omp parallel`: outlined(thread, team, &sum), in several threads.
TEST(Escape, WhatAParallelRegionUsesIsShared) {
  UnitFacts unit;
  FunctionBuilder outlined(unit, "outlined", 3);
  outlined.store(outlined.parameter(2), outlined.constant());
  outlined.ret();
  outlined.done();
  FunctionBuilder f(unit, "main");
  const ValueId sum = f.local(4, "sum"), own = f.local(4, "own");
  f.call("__kmpc_fork_call", {f.constant(), f.constant(1), f.symbol(unit.function("outlined")), sum});
  f.load(sum);
  f.load(own);
  f.ret();
  f.done();
  const Program program = unit.program();
  const PointsTo points_to(program);
  const Escape escape(program, points_to);
  EXPECT_TRUE(escape.is_shared_access({0, 0, 1})) << "the store in the region";
  const std::vector<OpId>& shared = escape.shared_accesses();
  const auto in_main = std::ranges::count_if(shared, [&](const OpId& id) {
    return id.function == 1 && program.function(1).blocks[id.block].ops[id.op].kind == OpKind::kLoad;
  });
  EXPECT_EQ(in_main, 1) << "of sum, not of own";
}

}  // namespace
}  // namespace heddle::program
