#include <algorithm>

#include "program/points_to_impl.h"

namespace heddle::program {

void PointsToBuilder::add_target(uint32_t callee, Target target) {
  targets_.push_back(std::move(target));
  graph_.call(callee, static_cast<uint32_t>(targets_.size() - 1));
}

void PointsToBuilder::add_call(FunctionIndex f, OpId id, const Op& op) {
  impl_->calls.push_back({.op = id, .callees = {}, .externals = {}});
  Target target{.kind = Target::Kind::kCall,
                .call = static_cast<uint32_t>(impl_->calls.size() - 1),
                .arguments = {},
                .op = &op,
                .function = f};
  for (ValueId operand : op.operands) target.arguments.push_back(value(f, operand));
  if (op.result != kNone) target.result = value(f, op.result);
  if (op.callee != kNone) return add_target(value(f, op.callee), std::move(target));
  targets_.push_back(std::move(target));
  const auto index = static_cast<uint32_t>(targets_.size() - 1);
  if (op.symbol == kNone) return call_unknown(targets_[index]);
  // A unit means its own, where several executables of the project define the same.
  const FunctionIndex callee = program_.definition(f, op.symbol);
  if (callee != kNone) return connect(index, callee);
  add_callee(index, object_of_symbol(f, op.symbol));
}

void PointsToBuilder::add_callee(uint32_t index, uint32_t object) {
  const Target& target = targets_[index];
  const MemoryObject& called = impl_->objects[object];
  const bool is_virtual =
      target.op->vtable_slot != kNone && target.op->type != kNone && target.kind == Target::Kind::kCall;
  if (object == kUnknownObject) {
    if (target.kind == Target::Kind::kCall) call_unknown(target);
    if (is_virtual) {
      const std::string& name = program_.unit_of(target.function).types[target.op->type].name;
      const std::set<uint32_t> candidates = classes_.candidates(name, target.op->vtable_slot);
      if (candidates.empty()) call_escaped(index);
      for (uint32_t symbol : candidates) {
        if (symbol_objects_[symbol] != kNone) add_callee(index, symbol_objects_[symbol]);
      }
    } else {
      call_escaped(index);
    }
    return;
  }
  if (called.kind != MemoryObject::Kind::kFunction) return;
  if (is_virtual && classes_.is_virtual(called.global)) {
    // The points-to sets do not tell the slots of a table apart; the classes do.
    const std::string& name = program_.unit_of(target.function).types[target.op->type].name;
    const std::set<uint32_t>& candidates = classes_.candidates(name, target.op->vtable_slot);
    if (!candidates.empty() && !candidates.contains(called.global)) return;
  }
  if (target.kind == Target::Kind::kStartObject && called.name.find("_M_run") == std::string::npos) return;
  if (called.function != kNone) return connect(index, called.function);
  if (target.kind == Target::Kind::kCall) {
    add_external(index, external_model(linkage_names_.at(called.global)), impl_->calls[target.call].op);
  }
}

// A pointer that comes from outside may be to any function that has gone there, if it takes as many
// arguments.
void PointsToBuilder::call_escaped(uint32_t index) {
  if (!is_target_outside_.insert(index).second) return;
  const Target& target = targets_[index];
  const OutsideTarget now{
      .target = index,
      .by_table = target.kind == Target::Kind::kStartObject || target.op->vtable_slot != kNone,
      .by_member_pointer = is_by_member_pointer(target)};
  targets_outside_.push_back(now);
  for (size_t i = 0; i < escaped_functions_.size(); ++i) {
    const EscapedFunction function = escaped_functions_[i];
    connect_escaped(now, function);
  }
}

void PointsToBuilder::connect_escaped(const OutsideTarget& outside, const EscapedFunction& function) {
  // What is called through a virtual table is known by its class, unless that is not known either.
  if (function.is_virtual ? !outside.by_table && !outside.by_member_pointer : outside.by_table) return;
  const Target& target = targets_[outside.target];
  if (target.kind != Target::Kind::kCallback && !function.is_variadic &&
      function.parameters != target.arguments.size()) {
    return;
  }
  if (function.is_virtual && target.op->vtable_slot != kNone &&
      !classes_.may_be_in_slot(impl_->objects[function.object].global, target.op->vtable_slot)) {
    return;
  }
  add_callee(outside.target, function.object);
}

void PointsToBuilder::connect(uint32_t index, FunctionIndex callee) {
  if (!connected_.insert(uint64_t{index} << 32 | callee)) return;
  const Target& target = targets_[index];
  CallSite& call = impl_->calls[target.call];
  const Function& function = program_.function(callee);
  for (uint32_t i = 0; i < target.arguments.size(); ++i) {
    if (i < function.parameters) {
      graph_.copy(target.arguments[i], value(callee, i));
    } else if (function.is_variadic) {
      graph_.escapes(target.arguments[i]);  // va_arg is not followed
    }
  }
  if (target.kind == Target::Kind::kStart || target.kind == Target::Kind::kStartObject) {
    impl_->thread_entries.insert(callee);
    impl_->thread_starts.push_back({call.op, callee, target.several});
    graph_.escapes(impl_->returned[callee]);  // join gives it to whoever asks
    return;
  }
  call.callees.push_back(callee);
  if (target.kind == Target::Kind::kCallback) {
    // A comparison gets pointers into the array, or the key; who is registered with an argument gets that.
    // Without arguments, what the library passes is its own.
    for (uint32_t i = 0; i < function.parameters; ++i) {
      for (uint32_t argument : target.arguments) {
        if (target.stride == 0) graph_.copy(argument, value(callee, i));
        if (target.stride != 0) graph_.element(argument, value(callee, i), target.stride);
      }
      if (target.arguments.empty()) graph_.points_to(value(callee, i), ConstraintGraph::kOutside);
    }
    return;
  }
  if (target.result != kNone) graph_.copy(impl_->returned[callee], target.result);
  if (!has_body(callee)) call_unknown(target);
}

void PointsToBuilder::call_unknown(const Target& target) {
  impl_->calls[target.call].calls_unknown = true;
  for (uint32_t argument : target.arguments) graph_.escapes(argument);
  if (target.result != kNone) graph_.points_to(target.result, ConstraintGraph::kOutside);
}

void PointsToBuilder::add_external(uint32_t index, const ExternalModel& model, const OpId& id) {
  const Target target = targets_[index];
  if (!model.is_known) return call_unknown(target);
  if (!external_done_.emplace(std::pair{index, &model}, true).second) return;
  impl_->calls[target.call].externals.push_back(&model);
  auto argument = [&](int8_t i) {
    return i >= 0 && static_cast<size_t>(i) < target.arguments.size()
               ? target.arguments[static_cast<size_t>(i)]
               : kNone;
  };
  if (target.result != kNone) {
    if (model.allocates) {
      const uint32_t object =
          new_object({.kind = MemoryObject::Kind::kHeap, .made_at = id, .name = "allocated"}, false);
      graph_.points_to(target.result, graph_.place(object, 0));
      // What realloc moves comes along.
      if (model.returns_argument >= 0) copy_memory(target.result, argument(model.returns_argument), 0, id);
    }
    if (argument(model.returns_argument) != kNone) {
      if (model.returns_inside) {
        graph_.element(argument(model.returns_argument), target.result, 1);
      } else {
        graph_.copy(argument(model.returns_argument), target.result);
      }
    }
    if (model.returns_outside) graph_.points_to(target.result, ConstraintGraph::kOutside);
  }
  const uint32_t to = argument(model.copies_to);
  const uint32_t from = argument(model.copies_from);
  if (to != kNone && from != kNone) copy_memory(to, from, 0, id);
  if (const uint32_t object = argument(model.keeps_outside); object != kNone) {
    const uint32_t outside = graph_.add_nodes(1);
    graph_.points_to(outside, ConstraintGraph::kOutside);
    graph_.store(object, outside);
    graph_.store(object, object);
  }
  if (model.links_nodes) link_nodes(target);
  auto calls = [&](Target::Kind kind, int8_t function, int8_t with) {
    if (argument(function) == kNone) return;
    Target called{
        .kind = kind, .call = target.call, .arguments = {}, .op = target.op, .function = target.function};
    if (argument(with) != kNone) called.arguments.push_back(argument(with));
    if (kind == Target::Kind::kCallback && !called.arguments.empty()) {
      called.arguments = target.arguments;
      called.arguments.erase(called.arguments.begin() + function);
      if (argument(model.element_size) != kNone) {
        const int64_t size =
            constant_of(target.function, target.op->operands[static_cast<size_t>(model.element_size)]);
        called.stride = size > 0 ? static_cast<uint64_t>(size) : 1;
      }
    }
    called.several = model.starts_several;
    add_target(argument(function), std::move(called));
  };
  calls(Target::Kind::kCallback, model.called, model.called_with);
  calls(Target::Kind::kStart, model.started, model.started_with);
  if (argument(model.called_later) != kNone) graph_.escapes(argument(model.called_later));
  if (const uint32_t state = argument(model.started_object); state != kNone) {
    const uint32_t first = graph_.add_nodes(3);
    graph_.load(state, first);          // the object
    graph_.load(first, first + 1);      // its virtual table
    graph_.load(first + 1, first + 2);  // the functions in that
    Target started{.kind = Target::Kind::kStartObject,
                   .call = target.call,
                   .arguments = {first},
                   .op = target.op,
                   .function = target.function};
    add_target(first + 2, std::move(started));
  }
}

// What a pointer to a member means is either a function or in a virtual table: the callee is one of two
// values.
bool PointsToBuilder::is_by_member_pointer(const Target& target) const {
  if (target.kind != Target::Kind::kCall || target.op->callee == kNone) return false;
  for (const Block& block : program_.function(target.function).blocks)
    for (const Op& op : block.ops)
      if (op.result == target.op->callee) return op.kind == OpKind::kCompute && op.operands.size() > 1;
  return false;
}

// 0 if the value is not known.
int64_t PointsToBuilder::constant_of(FunctionIndex f, ValueId value) const {
  for (const Block& block : program_.function(f).blocks) {
    for (const Op& op : block.ops) {
      if (op.result == value) return op.kind == OpKind::kConstant ? op.offset : 0;
    }
  }
  return 0;
}

// Nodes of libstdc++'s trees and lists point to each other by their first four words.
void PointsToBuilder::link_nodes(const Target& target) {
  for (uint32_t node : target.arguments) {
    for (int64_t word = 0; word < 4; ++word) {
      const uint32_t field = graph_.add_nodes(1);
      graph_.offset(node, field, word * 8);
      for (uint32_t other : target.arguments) graph_.store(field, other);
      if (target.result != kNone) graph_.load(field, target.result);
    }
    if (target.result != kNone) graph_.copy(node, target.result);
  }
}

// Virtual calls of which no object is known: any class will do. True if that led to something new.
bool PointsToBuilder::resolve_by_class() {
  bool found = false;
  for (uint32_t index = 0; index < targets_.size(); ++index) {
    const Target target = targets_[index];
    if (target.kind != Target::Kind::kCall || target.op->vtable_slot == kNone || target.op->type == kNone)
      continue;
    const CallSite& call = impl_->calls[target.call];
    if (!call.callees.empty() || call.calls_unknown || !call.externals.empty()) continue;
    const size_t before = connected_.size();
    const std::string& name = program_.unit_of(target.function).types[target.op->type].name;
    const std::set<uint32_t> candidates = classes_.candidates(name, target.op->vtable_slot);
    for (uint32_t symbol : candidates) {
      if (symbol_objects_[symbol] != kNone) add_callee(index, symbol_objects_[symbol]);
    }
    found |= connected_.size() != before;
  }
  return found;
}

}  // namespace heddle::program
