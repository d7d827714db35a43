// A synthetic program of many functions: the analyses must stay about linear in its size.
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <random>

#include "facts_builder.h"
#include "program/analyses.h"

namespace heddle::program {
namespace {

// Modules of twenty functions that share two globals and a table of callbacks, and call each other and some
// of the module before.
Program layered(uint32_t functions) {
  std::mt19937 random(1);
  Unit unit;
  auto symbol = [&](const std::string& name, bool is_function, uint64_t size) {
    Symbol made;
    made.linkage_name = made.name = name;
    made.is_function = is_function;
    made.is_defined = true;
    made.size = size;
    unit.symbols.push_back(made);
    return static_cast<uint32_t>(unit.symbols.size() - 1);
  };
  for (uint32_t i = 0; i < functions; ++i) symbol("f" + std::to_string(i), true, 0);
  Symbol allocator;
  allocator.linkage_name = allocator.name = "malloc";
  allocator.is_function = true;
  unit.symbols.push_back(allocator);
  const uint32_t malloc = functions;
  std::vector<uint32_t> globals;
  for (uint32_t i = 0; i < functions / 10 + 2; ++i)
    globals.push_back(symbol("g" + std::to_string(i), false, 64));
  for (uint32_t i = 0; i < functions; ++i) {
    UnitFacts scratch;
    FunctionBuilder f(scratch, "f", 2);
    const ValueId p = f.local(), q = f.local(), x = f.local(24);
    f.store(p, f.parameter(0));
    f.store(q, f.parameter(1));
    const uint32_t module = i / 20;
    auto call = [&](Op op) {
      op.kind = OpKind::kCall;
      op.result = f.function().values++;
      op.node = static_cast<uint32_t>(f.function().nodes.size() - 1);
      f.function().blocks[f.current_block()].ops.push_back(op);
      return op.result;
    };
    for (uint32_t s = 0; s < 6; ++s) {
      f.node("statement");
      const uint32_t global = globals[module * 2 + random() % 2];
      const uint32_t other = std::min(functions - 1, module * 20 + static_cast<uint32_t>(random() % 40));
      switch (random() % 6) {
        case 0:
          f.store(f.offset(f.symbol(global), 8 * (random() % 4)), f.load(p));
          break;
        case 1:
          f.store(x, f.load(f.load(q)));
          break;
        case 2:
          f.store(f.offset(f.load(p), 8), call({.operands = {f.constant()}, .symbol = malloc}));
          break;
        case 3:
          f.store(q, call({.operands = {f.load(p), x}, .symbol = other}));
          break;
        case 4:
          f.store(f.offset(f.symbol(global), 56), f.symbol(other));
          break;
        default:
          call({.operands = {f.symbol(global), f.load(q)}, .callee = f.load(f.offset(f.symbol(global), 56))});
          break;
      }
      const uint32_t then = f.block(), after = f.block();
      f.branch(f.load(x), then, after);
      f.at(then);
      f.node("then");
      f.store(f.offset(x, 8), f.load(x));
      f.jump(after);
      f.at(after);
    }
    f.node("return");
    f.ret(f.load(p));
    f.function().symbol = i;
    f.done();
    unit.functions.push_back(f.function());
  }
  return Program({std::move(unit)});
}

TEST(Scale, ManyFunctionsAreAnalysed) {
  const char* asked = std::getenv("HEDDLE_SCALE_FUNCTIONS");
  const uint32_t functions = asked != nullptr ? static_cast<uint32_t>(std::atoi(asked)) : 2000;
  const Program program = layered(functions);
  auto seconds = [start = std::clock()]() mutable {
    const std::clock_t now = std::clock();
    const double passed = static_cast<double>(now - start) / CLOCKS_PER_SEC;
    start = now;
    return passed;
  };
  const PointsTo points_to(program);
  RecordProperty("points_to_seconds", std::to_string(seconds()));
  const Escape escape(program, points_to);
  RecordProperty("escape_seconds", std::to_string(seconds()));
  const Dependence dependence(program, points_to);
  RecordProperty("dependence_seconds", std::to_string(seconds()));
  const std::set<NodeId> slice = dependence.forward_slice({{0, 0}});
  RecordProperty("slice_seconds", std::to_string(seconds()));
  const size_t regions = locked_regions(program, points_to).size();
  RecordProperty("regions_seconds", std::to_string(seconds()));
  EXPECT_GT(slice.size(), 1u);
  EXPECT_EQ(regions, 0u);
}

}  // namespace
}  // namespace heddle::program
