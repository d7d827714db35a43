#include "select/effects.h"

#include <algorithm>

#include "program/externals.h"
#include "program/lock_names.h"
#include "program/ordering_names.h"

namespace heddle::select {

using program::FunctionIndex;
using program::MemoryOrder;
using program::Op;
using program::OpId;
using program::OpKind;
using program::ValueId;

namespace {

Effect effect_at(const Path& path, uint64_t size, bool is_write, bool is_atomic) {
  if (path.is_known() && !path.is_contents()) return {path.leaf, path.root, true, is_write, is_atomic};
  return {"[]" + std::to_string(size), path.root, false, is_write, is_atomic};
}

}  // namespace

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
  Op call;
  call.kind = OpKind::kCall;
  call.symbol = program_.function(function).symbol;
  return is_synchronisation(function, call);
}

void Effects::add_own(const OpId& id, const Op& op, const AccessPaths& paths, Set& effects) const {
  if (!escape_.is_shared_access(id)) return;
  const bool is_atomic = op.order != MemoryOrder::kPlain && op.order != MemoryOrder::kVolatile;
  const auto add = [&](ValueId address, bool is_write) {
    if (paths.is_private(address)) return;
    effects.insert(effect_at(paths.of(address), op.size, is_write, is_atomic));
  };
  switch (op.kind) {
    case OpKind::kLoad:
      return add(op.operands[0], false);
    case OpKind::kStore:
    case OpKind::kFill:
      return add(op.operands[0], true);
    case OpKind::kUpdate:
      add(op.operands[0], false);
      return add(op.operands[0], true);
    case OpKind::kCopy:
      add(op.operands[0], true);
      return add(op.operands[1], false);
    case OpKind::kUnknown:
      for (const ValueId operand : op.operands) add(operand, true);
      return;
    case OpKind::kCall:
      break;
    default:
      return;
  }
  const bool is_unknown = points_to_.calls_unknown(id);
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const auto number = static_cast<int8_t>(std::min<size_t>(i, 127));
    bool reads = is_unknown;
    bool writes = is_unknown;
    for (const program::ExternalModel* model : points_to_.known_externals(id)) {
      reads |= model->reads_arguments || model->copies_from == number;
      writes |= model->writes_arguments || model->writes_argument == number || model->copies_to == number;
    }
    const bool is_place = paths.of(op.operands[i]).is_known();  // a number has none
    if (reads && is_place) add(op.operands[i], false);
    if (writes && is_place) add(op.operands[i], true);
  }
}

const Effects::Set& Effects::of_library_function(FunctionIndex function) {
  const auto [known, is_new] = library_.try_emplace(function);
  if (!is_new) return known->second;
  Set all;
  std::vector<FunctionIndex> open{function};
  std::set<FunctionIndex> seen{function};
  while (!open.empty()) {
    const FunctionIndex f = open.back();
    open.pop_back();
    const auto [direct, is_first] = direct_.try_emplace(f);
    std::optional<AccessPaths> paths;
    const std::vector<program::Block>& blocks = program_.function(f).blocks;
    for (uint32_t b = 0; b < blocks.size(); ++b) {
      for (uint32_t o = 0; o < blocks[b].ops.size(); ++o) {
        const Op& op = blocks[b].ops[o];
        if (is_synchronisation(f, op)) continue;
        if (is_first && escape_.is_shared_access({f, b, o})) {
          if (!paths) paths.emplace(program_, f);
          add_own({f, b, o}, op, *paths, direct->second);
        }
        if (op.kind != OpKind::kCall) continue;
        for (const FunctionIndex callee : points_to_.callees({f, b, o})) {
          if (is_of_a_library(program_.function(callee)) && !is_synchronisation(callee) &&
              seen.insert(callee).second)
            open.push_back(callee);
        }
      }
    }
    all.insert(direct->second.begin(), direct->second.end());
  }
  return library_[function] = std::move(all);
}

// The library's own fields are parts of what it was given, if that is known.
void Effects::add_call(const OpId& id, const Op& op, const AccessPaths& paths, Set& effects) {
  Set inner;
  for (const FunctionIndex callee : points_to_.callees(id)) {
    if (!is_of_a_library(program_.function(callee)) || is_synchronisation(callee)) continue;
    const Set& of_callee = of_library_function(callee);
    inner.insert(of_callee.begin(), of_callee.end());
  }
  if (inner.empty()) return;
  std::set<std::string> roots;
  bool has_own_only = !op.operands.empty();
  for (const ValueId operand : op.operands) {
    if (paths.is_private(operand)) continue;
    const Path path = paths.of(operand);
    if (!path.is_known() && !may_be_pointer(id.function, operand)) continue;
    has_own_only = false;
    roots.insert(path.is_known() ? path.text() : "");
  }
  if (has_own_only) return;  // variables of the function that nobody else knows
  for (const Effect& effect : inner) {
    const bool is_contents = effect.leaf.starts_with("[]");
    for (const std::string& root : roots) {
      const bool is_contents_root = root.ends_with("[]");
      Effect here = effect;
      here.is_own = false;
      here.root = is_contents && is_contents_root ? root.substr(0, root.size() - 2) : root;
      effects.insert(std::move(here));
    }
  }
}

bool Effects::may_be_pointer(FunctionIndex function, ValueId value) const {
  return !points_to_.pointees(function, value).empty();
}

std::vector<Effect> Effects::of(const OpId& id, const Op& op, const AccessPaths& paths) {
  if (is_synchronisation(id.function, op)) return {};
  Set effects;
  add_own(id, op, paths, effects);
  if (op.kind == OpKind::kCall) add_call(id, op, paths, effects);
  return {effects.begin(), effects.end()};
}

}  // namespace heddle::select
