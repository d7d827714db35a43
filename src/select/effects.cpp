#include "select/effects.h"

#include <algorithm>
#include <set>

#include "program/externals.h"
#include "program/lock_names.h"
#include "program/ordering_names.h"

namespace heddle::select {

using program::FunctionIndex;
using program::MemoryObject;
using program::MemoryOrder;
using program::ObjectId;
using program::Op;
using program::OpId;
using program::OpKind;
using program::Pointee;
using program::ValueId;

bool is_of_a_library(const program::Function& function) {
  return function.file.empty() || function.file.starts_with('/');
}

Effects::Effects(const program::Program& program, const program::PointsTo& points_to,
                 const program::Escape& escape)
    : program_(program), points_to_(points_to), escape_(escape) {}

bool Effects::is_synchronisation(FunctionIndex caller, const Op& op) {
  if (op.kind != OpKind::kCall || op.symbol == kNone) return false;
  const program::Unit& unit = program_.unit_of(caller);
  const auto [known, is_new] = synchronisation_.try_emplace(program_.global_symbol(unit, op.symbol));
  if (is_new) {
    const program::Symbol& symbol = unit.symbols[op.symbol];
    known->second = program::lock_operation(symbol).kind != program::LockOperation::Kind::kOther ||
                    program::is_ordering_operation(symbol);
  }
  return known->second;
}

bool Effects::is_synchronisation(FunctionIndex function) {
  const uint32_t symbol = program_.function(function).symbol;
  Op call;
  call.kind = OpKind::kCall;
  call.symbol = symbol;
  return is_synchronisation(function, call);
}

void Effects::add_access(FunctionIndex function, ValueId address, const Effect& kind,
                         std::vector<Effect>& effects) const {
  for (const Pointee& pointee : points_to_.pointees(function, address)) {
    if (points_to_.objects()[pointee.object].kind == MemoryObject::Kind::kFunction) continue;
    if (pointee.object != program::kUnknownObject && !escape_.is_shared(pointee)) continue;
    Effect effect = kind;
    effect.memory = pointee;
    effects.push_back(effect);
  }
}

void Effects::add_own(const OpId& id, const Op& op, std::vector<Effect>& effects) const {
  const bool is_atomic = op.order != MemoryOrder::kPlain && op.order != MemoryOrder::kVolatile;
  const Effect read{.memory = {}, .is_write = false, .is_atomic = is_atomic};
  const Effect write{.memory = {}, .is_write = true, .is_atomic = is_atomic};
  switch (op.kind) {
    case OpKind::kLoad:
      return add_access(id.function, op.operands[0], read, effects);
    case OpKind::kStore:
      return add_access(id.function, op.operands[0], write, effects);
    case OpKind::kUpdate:
      add_access(id.function, op.operands[0], read, effects);
      return add_access(id.function, op.operands[0], write, effects);
    case OpKind::kFill:
    case OpKind::kCopy: {
      const uint64_t size = op.size == 0 ? UINT64_MAX : op.size;
      add_access(id.function, op.operands[0], {.memory = {}, .size = size, .is_write = true}, effects);
      if (op.kind == OpKind::kCopy)
        add_access(id.function, op.operands[1], {.memory = {}, .size = size, .is_write = false}, effects);
      return;
    }
    case OpKind::kUnknown:
      for (const ValueId operand : op.operands) {
        add_access(id.function, operand, read, effects);
        add_access(id.function, operand, write, effects);
      }
      return;
    case OpKind::kCall:
      break;
    default:
      return;
  }
  bool reads = points_to_.calls_unknown(id);
  std::set<size_t> written;
  for (const program::ExternalModel* model : points_to_.known_externals(id)) {
    reads |= model->reads_arguments || model->copies_from >= 0;
    for (size_t i = 0; i < op.operands.size(); ++i) {
      const auto number = static_cast<int8_t>(i);
      if (model->writes_arguments || model->writes_argument == number || model->copies_to == number)
        written.insert(i);
    }
  }
  for (size_t i = 0; i < op.operands.size(); ++i) {
    if (reads) add_access(id.function, op.operands[i], read, effects);
    if (written.contains(i) || points_to_.calls_unknown(id))
      add_access(id.function, op.operands[i], write, effects);
  }
}

const std::vector<Effect>& Effects::of_library_function(FunctionIndex function) {
  const auto [known, is_new] = library_.try_emplace(function);
  if (!is_new) return known->second;
  std::vector<Effect> effects;
  std::vector<FunctionIndex> open{function};
  std::set<FunctionIndex> seen{function};
  while (!open.empty()) {
    const FunctionIndex f = open.back();
    open.pop_back();
    const std::vector<program::Block>& blocks = program_.function(f).blocks;
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      for (uint32_t o = 0; o < blocks[b].ops.size(); ++o) {
        const Op& op = blocks[b].ops[o];
        if (is_synchronisation(f, op)) continue;
        add_own({f, b, o}, op, effects);
        if (op.kind != OpKind::kCall) continue;
        for (const FunctionIndex callee : points_to_.callees({f, b, o})) {
          if (is_of_a_library(program_.function(callee)) && !is_synchronisation(callee) &&
              seen.insert(callee).second)
            open.push_back(callee);
        }
      }
    }
    std::sort(effects.begin(), effects.end());
    effects.erase(std::unique(effects.begin(), effects.end()), effects.end());
  }
  return known->second = std::move(effects);
}

const std::vector<ObjectId>& Effects::held_by(ObjectId object) {
  const auto [known, is_new] = held_by_.try_emplace(object);
  if (is_new) {
    std::vector<ObjectId>& held = known->second;
    for (const Pointee& pointee : points_to_.contents({object, program::kAnyOffset}))
      held.push_back(pointee.object);
    std::sort(held.begin(), held.end());
    held.erase(std::unique(held.begin(), held.end()), held.end());
  }
  return known->second;
}

const std::vector<bool>& Effects::reachable(const OpId& id, const Op& op) {
  std::vector<ObjectId> start;
  for (const ValueId operand : op.operands)
    for (const Pointee& pointee : points_to_.pointees(id.function, operand)) start.push_back(pointee.object);
  std::sort(start.begin(), start.end());
  start.erase(std::unique(start.begin(), start.end()), start.end());
  const auto [known, is_new] = reachable_.try_emplace(start);
  if (!is_new) return known->second;
  std::vector<bool> reached(points_to_.objects().size());
  while (!start.empty()) {
    const ObjectId object = start.back();
    start.pop_back();
    if (reached[object]) continue;
    reached[object] = true;
    for (const ObjectId held : held_by(object))
      if (!reached[held]) start.push_back(held);
  }
  return known->second = std::move(reached);
}

std::vector<Effect> Effects::of(const OpId& id, const Op& op) {
  std::vector<Effect> effects;
  if (is_synchronisation(id.function, op)) return effects;
  add_own(id, op, effects);
  if (op.kind == OpKind::kCall) {
    for (const FunctionIndex callee : points_to_.callees(id)) {
      if (!is_of_a_library(program_.function(callee)) || is_synchronisation(callee)) continue;
      // A library's function is called for many objects: this call means those that it was given, beside
      // variables of the library itself.
      const std::vector<Effect>& all = of_library_function(callee);
      if (all.empty()) continue;
      const std::vector<bool>& reached = reachable(id, op);
      for (const Effect& effect : all) {
        const bool is_global = points_to_.objects()[effect.memory.object].kind == MemoryObject::Kind::kGlobal;
        if (is_global || reached[effect.memory.object]) effects.push_back(effect);
      }
    }
  }
  std::sort(effects.begin(), effects.end());
  effects.erase(std::unique(effects.begin(), effects.end()), effects.end());
  return effects;
}

}  // namespace heddle::select
