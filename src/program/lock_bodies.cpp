#include "program/lock_bodies.h"

#include <algorithm>
#include <string_view>

namespace heddle::program {
namespace {

// What is left to the run-time library when something is thrown.
bool only_throws(const Symbol& symbol) {
  const std::string_view name = symbol.linkage_name;
  return (name.starts_with("_ZSt") && name.find("__throw_") != std::string_view::npos) ||
         name == "_ZSt9terminatev" || name.starts_with("__cxa_") || name == "__clang_call_terminate" ||
         name.starts_with("__gxx_personality") || name.starts_with("llvm.");
}

}  // namespace

bool LockBodies::may_exclude(const Unit& unit, uint32_t symbol) {
  const FunctionIndex body = program_.definition(unit, symbol);
  return body == kNone ? !only_throws(unit.symbols[symbol]) : may_exclude(body);
}

bool LockBodies::may_exclude(FunctionIndex function) {
  if (known_[function]) return *known_[function];
  known_[function] = false;  // as far as it calls itself
  const Function& body = program_.function(function);
  const Unit& unit = program_.unit_of(function);
  const bool found =
      !body.degraded.empty() || std::any_of(body.blocks.begin(), body.blocks.end(), [&](const Block& block) {
        return std::any_of(block.ops.begin(), block.ops.end(),
                           [&](const Op& op) { return may_exclude(unit, op); });
      });
  known_[function] = found;
  return found;
}

bool LockBodies::may_exclude(const Unit& unit, const Op& op) {
  switch (op.kind) {
    case OpKind::kUpdate:
    case OpKind::kFence:
    case OpKind::kUnknown:
      return true;
    case OpKind::kLoad:
    case OpKind::kStore:
      return op.order != MemoryOrder::kPlain;
    case OpKind::kCall:
      return op.symbol == kNone || may_exclude(unit, op.symbol);
    default:
      return false;
  }
}

}  // namespace heddle::program
