#include <algorithm>

#include "program/by_function.h"
#include "program/points_to_impl.h"

namespace heddle::program {

PointsToBuilder::PointsToBuilder(const Program& program)
    : program_(program), impl_(std::make_shared<PointsTo::Impl>()), graph_(impl_->graph), classes_(program) {
  graph_.on_callee = [this](uint32_t target, uint32_t object) { add_callee(target, object); };
  graph_.on_opaque_escape = [this](uint32_t object) {
    const FunctionIndex function = impl_->objects[object].function;
    if (function == kNone || impl_->called_from_outside[function]) return;
    impl_->called_from_outside[function] = true;
    for (uint32_t i = 0; i < program_.function(function).parameters; ++i) {
      graph_.points_to(value(function, i), ConstraintGraph::kOutside);
    }
    graph_.escapes(impl_->returned[function]);
    const Function& escaped = program_.function(function);
    const EscapedFunction now{.object = object,
                              .parameters = escaped.parameters,
                              .is_variadic = escaped.is_variadic,
                              .is_virtual = classes_.is_virtual(impl_->objects[object].global)};
    escaped_functions_.push_back(now);
    for (size_t i = 0; i < targets_outside_.size(); ++i) {
      const OutsideTarget target = targets_outside_[i];
      connect_escaped(target, now);
    }
  };
}

std::shared_ptr<const PointsTo::Impl> PointsToBuilder::build() {
  impl_->objects.push_back({.kind = MemoryObject::Kind::kUnknown, .made_at = {}, .name = "outside"});
  impl_->called_from_outside.resize(program_.size());
  size_t values = 0;
  for (FunctionIndex f = 0; f < program_.size(); ++f) values += program_.function(f).values + 1;
  graph_.expect_nodes(2 * values);  // half are for what memory holds
  for (FunctionIndex f = 0; f < program_.size(); ++f) {
    const Function& function = program_.function(f);
    impl_->first_value.push_back(graph_.add_nodes(function.values + 1));
    impl_->returned.push_back(impl_->first_value.back() + function.values);
  }
  add_globals();
  for (FunctionIndex f = 0; f < program_.size(); ++f) add_function(f);
  add_roots();
  do {
    graph_.solve();
  } while (resolve_by_class());
  std::vector<CallGraph::Site> sites;
  for (CallSite& call : impl_->calls) {
    std::sort(call.callees.begin(), call.callees.end());
    call.callees.erase(std::unique(call.callees.begin(), call.callees.end()), call.callees.end());
    sites.push_back({call.op, std::move(call.callees)});
  }
  impl_->first_call = first_of_functions(impl_->calls, program_.size(),
                                         [](const CallSite& call) { return call.op.function; });
  impl_->call_graph = std::make_shared<const CallGraph>(std::move(sites), program_.size());
  for (FunctionIndex f = 0; f < program_.size(); ++f) {
    if (impl_->called_from_outside[f]) impl_->thread_entries.insert(f);
  }
  return impl_;
}

uint32_t PointsToBuilder::new_object(MemoryObject object, bool is_opaque) {
  const uint32_t index = graph_.add_object(object.size, is_opaque);
  impl_->objects.push_back(std::move(object));
  return index;
}

void PointsToBuilder::copy_memory(uint32_t to, uint32_t from, uint64_t size, OpId at) {
  const uint32_t transit = new_object(
      {.kind = MemoryObject::Kind::kTransit, .made_at = at, .size = size, .name = "copied"}, false);
  graph_.copy_memory(to, from, size, transit);
}

void PointsToBuilder::add_globals() {
  // All units' symbols first: the unit that defines one knows most about it.
  symbol_objects_.assign(program_.global_count(), kNone);
  for (const bool defined : {true, false}) {
    for (const Unit& unit : program_.units()) {
      const std::vector<uint32_t>& globals = program_.global_symbols(unit);
      for (uint32_t s = 0; s < unit.symbols.size(); ++s) {
        const Symbol& symbol = unit.symbols[s];
        const uint32_t global = globals[s];
        if (symbol.is_defined != defined || symbol_objects_[global] != kNone) continue;
        using Kind = MemoryObject::Kind;
        MemoryObject object{.kind = symbol.is_function ? Kind::kFunction : Kind::kGlobal,
                            .global = global,
                            .made_at = {},
                            .size = symbol.size,
                            .is_thread_local = symbol.is_thread_local,
                            .name = symbol.name.empty() ? symbol.linkage_name : symbol.name};
        if (symbol.is_function) object.function = program_.definition(unit, s);
        if (symbol.is_function && object.function == kNone) linkage_names_[global] = symbol.linkage_name;
        symbol_objects_[global] = new_object(std::move(object), symbol.is_function);
      }
    }
  }
  for (const Unit& unit : program_.units()) {
    const std::vector<uint32_t>& globals = program_.global_symbols(unit);
    for (uint32_t s = 0; s < unit.symbols.size(); ++s) {
      const Symbol& symbol = unit.symbols[s];
      if (symbol.is_function) continue;
      const ObjectId object = symbol_objects_[globals[s]];
      const uint32_t contents = graph_.contents_of(graph_.place(object, 0));
      if (!symbol.initial_pointers.empty()) graph_.merge_offsets(object);
      for (uint32_t pointed : symbol.initial_pointers) {
        if (pointed == kNone) continue;
        graph_.points_to(contents, graph_.place(symbol_objects_[globals[pointed]], 0));
      }
    }
  }
}

uint32_t PointsToBuilder::object_of_symbol(FunctionIndex in, uint32_t symbol) {
  return symbol_objects_[program_.global_symbol(in, symbol)];
}

void PointsToBuilder::add_function(FunctionIndex f) {
  const Function& function = program_.function(f);
  variables_.assign(function.values, kNone);
  find_set_once(function);
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    for (uint32_t o = 0; o < function.blocks[b].ops.size(); ++o)
      add_op(f, {f, b, o}, function.blocks[b].ops[o]);
  }
}

// Variables that are only loaded from, and stored to by one operation: parameters, most often.
void PointsToBuilder::find_set_once(const Function& function) {
  std::vector<uint32_t> stores(function.values);
  is_set_once_.assign(function.values, true);
  for (const Block& block : function.blocks) {
    for (const Op& op : block.ops) {
      for (size_t i = 0; i < op.operands.size(); ++i) {
        const bool is_address = i == 0 && (op.kind == OpKind::kLoad || op.kind == OpKind::kStore);
        if (i == 0 && op.kind == OpKind::kStore) ++stores[op.operands[0]];
        if (!is_address || stores[op.operands[0]] > 1) is_set_once_[op.operands[i]] = false;
      }
    }
  }
}

void PointsToBuilder::add_op(FunctionIndex f, OpId id, const Op& op) {
  const uint32_t result = op.result == kNone ? kNone : value(f, op.result);
  auto operand = [&](size_t i) { return value(f, op.operands[i]); };
  switch (op.kind) {
    case OpKind::kSymbol:
      graph_.points_to(result, graph_.place(object_of_symbol(f, op.symbol), 0));
      return;
    case OpKind::kLocal: {
      const uint32_t object = new_object(
          {.kind = MemoryObject::Kind::kLocal, .made_at = id, .size = op.size, .name = op.name}, false);
      const uint32_t place = graph_.place(object, 0);
      graph_.points_to(result, place);
      variables_[op.result] = graph_.contents_of(place);
      return;
    }
    case OpKind::kCompute:
      if (op.size != 0) return;
      if (op.operands.size() == 1 && result != kNone) return graph_.same(operand(0), result);
      for (size_t i = 0; i < op.operands.size() && result != kNone; ++i) graph_.copy(operand(i), result);
      return;
    case OpKind::kOffset:
      if (op.offset == 0) return graph_.same(operand(0), result);
      return graph_.offset(operand(0), result, op.offset);
    case OpKind::kElement:
      return graph_.element(operand(0), result, op.size);
    case OpKind::kLoad:
      if (const uint32_t held = variables_[op.operands[0]]; held != kNone) return graph_.same(held, result);
      return graph_.load(operand(0), result);
    case OpKind::kStore:
      if (const uint32_t held = variables_[op.operands[0]]; held != kNone) {
        if (is_set_once_[op.operands[0]]) return graph_.same(operand(1), held);
        return graph_.copy(operand(1), held);
      }
      return graph_.store(operand(0), operand(1));
    case OpKind::kUpdate:
      if (result != kNone) graph_.load(operand(0), result);
      for (size_t i = 1; i < op.operands.size(); ++i) graph_.store(operand(0), operand(i));
      return;
    case OpKind::kCopy:
      return copy_memory(operand(0), operand(1), op.size, id);
    case OpKind::kCall:
      return add_call(f, id, op);
    case OpKind::kReturn:
      if (!op.operands.empty()) graph_.copy(operand(0), impl_->returned[f]);
      return;
    case OpKind::kThrow:
    case OpKind::kUnknown:
      for (size_t i = 0; i < op.operands.size(); ++i) graph_.escapes(operand(i));
      if (result != kNone) graph_.points_to(result, ConstraintGraph::kOutside);
      return;
    case OpKind::kConstant:
    case OpKind::kFill:
    case OpKind::kBranch:
    case OpKind::kFence:
      return;
  }
}

// What nothing in the program refers to is called from outside, with whatever arguments: main, constructors
// of globals, the interface of a library. Undefined globals are the library's.
void PointsToBuilder::add_roots() {
  std::vector<bool> referred(program_.global_count());
  std::vector<bool> defined(program_.global_count());
  for (const Unit& unit : program_.units()) {
    const std::vector<uint32_t>& globals = program_.global_symbols(unit);
    for (uint32_t s = 0; s < unit.symbols.size(); ++s) {
      if (unit.symbols[s].is_defined) defined[globals[s]] = true;
      for (uint32_t pointed : unit.symbols[s].initial_pointers)
        if (pointed != kNone) referred[globals[pointed]] = true;
    }
    for (const Type& type : unit.types) {
      for (uint32_t symbol : type.vtable) {
        if (symbol != kNone) referred[globals[symbol]] = true;
      }
    }
  }
  for (FunctionIndex f = 0; f < program_.size(); ++f) {
    for (const Block& block : program_.function(f).blocks) {
      for (const Op& op : block.ops) {
        if (op.symbol != kNone) referred[program_.global_symbol(f, op.symbol)] = true;
      }
    }
  }
  for (FunctionIndex f = 0; f < program_.size(); ++f) {
    const Function& function = program_.function(f);
    if (function.symbol != kNone && referred[program_.global_symbol(f, function.symbol)]) continue;
    for (uint32_t i = 0; i < function.parameters; ++i) {
      graph_.points_to(value(f, i), ConstraintGraph::kOutside);
    }
    graph_.escapes(impl_->returned[f]);
  }
  const uint32_t library = graph_.add_nodes(1);
  graph_.escapes(library);
  for (uint32_t symbol = 0; symbol < symbol_objects_.size(); ++symbol) {
    const ObjectId object = symbol_objects_[symbol];
    if (object == kNone) continue;
    if (impl_->objects[object].kind == MemoryObject::Kind::kGlobal && !defined[symbol]) {
      graph_.points_to(library, graph_.place(object, 0));
    }
  }
}

}  // namespace heddle::program
