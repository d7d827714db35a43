#include "interact/concolic/solver/z3_terms.h"

#include <string>

#include "interact/concolic/solver/evaluate.h"
#include "interact/concolic/solver/operands.h"

namespace heddle::concolic {

z3::expr Z3Terms::condition(uint32_t handle, bool holds) {
  for_each_needed(
      recording_, handle, [&](uint32_t node) { return terms_[node].has_value(); },
      [&](uint32_t node) { terms_[node] = make(recording_.nodes[node]); });
  return holds ? *terms_[handle] : !*terms_[handle];
}

z3::expr Z3Terms::bits(uint32_t handle) {
  const z3::expr& term = *terms_[handle];
  return term.is_bool() ? z3::ite(term, context_.bv_val(1, 1), context_.bv_val(0, 1)) : term;
}

z3::expr Z3Terms::make(const Node& node) {
  switch (node.operation) {
    case Operation::kConstant:
      return node.width == 1 ? context_.bool_val(node.value != 0)
                             : context_.bv_val(static_cast<uint64_t>(node.value), node.width);
    case Operation::kInput:
      return make_input(node);
    case Operation::kTable:
      return make_table(node);
    case Operation::kIte:
      return z3::ite(*terms_[node.a], *terms_[node.b], *terms_[node.c]);
    default:
      break;
  }
  const bool is_predicate = node.operation >= Operation::kEq && node.operation <= Operation::kSMulOverflow;
  if (is_predicate) return make_predicate(node);
  if (node.width > 1) return make_bits(node);
  switch (node.operation) {
    case Operation::kAnd:
      return *terms_[node.a] && *terms_[node.b];
    case Operation::kOr:
      return *terms_[node.a] || *terms_[node.b];
    case Operation::kXor:
      return *terms_[node.a] != *terms_[node.b];
    default:
      return as_boolean(make_bits(node));
  }
}

z3::expr Z3Terms::make_input(const Node& node) {
  const InputPlace place{node.a, node.b};
  if (is_fixed(place, limits_)) return context_.bv_val(static_cast<uint64_t>(node.value), node.width);
  recorded_[place] = node.value;
  const std::string name = std::to_string(place.source) + "_" + std::to_string(place.offset);
  return inputs_.try_emplace(place, context_.bv_const(name.c_str(), node.width)).first->second;
}

// A balanced choice among the entries, by the bits of the offset.
z3::expr Z3Terms::make_table(const Node& node) {
  const std::vector<unsigned char>& table = recording_.tables[node.c];
  const uint32_t size = node.width / 8;
  const z3::expr offset = bits(node.a);
  std::vector<z3::expr> level;
  for (uint64_t at = 0; at + size <= table.size(); at += size)
    level.push_back(context_.bv_val(table_value(table, at, node.width), node.width));
  unsigned bit = 0;
  while ((1U << bit) < size) ++bit;
  for (; level.size() > 1; ++bit) {
    const z3::expr is_odd = as_boolean(offset.extract(bit, bit));
    std::vector<z3::expr> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      const bool is_same = z3::eq(level[i], level[i + 1]);
      next.push_back(is_same ? level[i] : z3::ite(is_odd, level[i + 1], level[i]));
    }
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = std::move(next);
  }
  return level.front();
}

z3::expr Z3Terms::make_predicate(const Node& node) {
  if (node.operation == Operation::kEq) return *terms_[node.a] == *terms_[node.b];
  const z3::expr a = bits(node.a);
  const z3::expr b = bits(node.b);
  switch (node.operation) {
    case Operation::kUlt:
      return z3::ult(a, b);
    case Operation::kUle:
      return z3::ule(a, b);
    case Operation::kSlt:
      return z3::slt(a, b);
    case Operation::kSle:
      return z3::sle(a, b);
    case Operation::kUAddOverflow:
      return !z3::bvadd_no_overflow(a, b, false);
    case Operation::kSAddOverflow:
      return !z3::bvadd_no_overflow(a, b, true) || !z3::bvadd_no_underflow(a, b);
    case Operation::kUSubOverflow:
      return z3::ult(a, b);
    case Operation::kSSubOverflow:
      return !z3::bvsub_no_overflow(a, b) || !z3::bvsub_no_underflow(a, b, true);
    case Operation::kUMulOverflow:
      return !z3::bvmul_no_overflow(a, b, false);
    default:
      return !z3::bvmul_no_overflow(a, b, true) || !z3::bvmul_no_underflow(a, b);
  }
}

z3::expr Z3Terms::make_bits(const Node& node) {
  const z3::expr a = bits(node.a);
  const unsigned operand_width = recording_.nodes[node.a].width;
  switch (node.operation) {
    case Operation::kZExt:
      return z3::zext(a, node.width - operand_width);
    case Operation::kSExt:
      return z3::sext(a, node.width - operand_width);
    case Operation::kExtract:
      return a.extract(node.c + node.width - 1, node.c);
    default:
      break;
  }
  const z3::expr b = bits(node.b);
  switch (node.operation) {
    case Operation::kAdd:
      return a + b;
    case Operation::kSub:
      return a - b;
    case Operation::kMul:
      return a * b;
    case Operation::kUDiv:
      return z3::udiv(a, b);
    case Operation::kSDiv:
      return a / b;
    case Operation::kURem:
      return z3::urem(a, b);
    case Operation::kSRem:
      return z3::srem(a, b);
    case Operation::kAnd:
      return a & b;
    case Operation::kOr:
      return a | b;
    case Operation::kXor:
      return a ^ b;
    case Operation::kShl:
      return z3::shl(a, b);
    case Operation::kLShr:
      return z3::lshr(a, b);
    case Operation::kAShr:
      return z3::ashr(a, b);
    default:
      return z3::concat(a, b);
  }
}

}  // namespace heddle::concolic
