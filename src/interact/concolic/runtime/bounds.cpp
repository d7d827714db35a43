#include "interact/concolic/runtime/bounds.h"

#include <sys/mman.h>

#include "interact/concolic/runtime/expressions.h"

namespace heddle::concolic {
namespace {

uint64_t* bounds;  // by handle

uint64_t larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}
uint64_t smaller(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

// All ones up to the highest bit of the value.
uint64_t filled(uint64_t value) {
  return value == 0 ? 0 : ~uint64_t{0} >> __builtin_clzll(value);
}

}  // namespace

uint64_t upper_bound(uint32_t handle) {
  return bounds[handle];
}

bool keep_bound(uint32_t handle, uint64_t bound) {
  if (bounds == nullptr) {
    const size_t size = recording.header->node_capacity * sizeof(uint64_t);
    void* const memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    bounds = static_cast<uint64_t*>(memory);
  }
  bounds[handle] = bound;
  return true;
}

uint64_t bound_of(const Node& node) {
  const uint64_t most = width_mask(node.width);
  const uint32_t operands = operand_count(node.operation);
  const uint64_t a = operands > 0 ? bounds[node.a] : 0;
  const uint64_t b = operands > 1 ? bounds[node.b] : 0;
  uint64_t sum = 0;
  switch (node.operation) {
    case Operation::kConstant:
      return node.value;
    case Operation::kAdd:
      return __builtin_add_overflow(a, b, &sum) ? most : (sum > most ? most : sum);
    case Operation::kMul:
      return __builtin_mul_overflow(a, b, &sum) ? most : (sum > most ? most : sum);
    case Operation::kAnd:
      return smaller(a, b);
    case Operation::kOr:
    case Operation::kXor:
      return filled(a | b);
    case Operation::kUDiv:
      return is_constant(node.b) && node_at(node.b).value != 0 ? a / node_at(node.b).value : most;
    case Operation::kURem:
      return is_constant(node.b) && node_at(node.b).value != 0 ? smaller(a, node_at(node.b).value - 1) : a;
    case Operation::kLShr:
      return is_constant(node.b)
                 ? compute(Operation::kLShr, node.width, node.width, a, node_at(node.b).value, 0)
                 : a;
    case Operation::kZExt:
      return a;
    case Operation::kSExt:
      return a >> (node_at(node.a).width - 1) == 0 ? a : most;
    case Operation::kExtract:
      return smaller(a >> node.c, most);
    case Operation::kConcat:
      return a << node_at(node.b).width | width_mask(node_at(node.b).width);
    case Operation::kIte:
      return larger(b, bounds[node.c]);
    default:
      return most;
  }
}

Always always(Operation comparison, uint32_t a, uint32_t b) {
  const uint32_t width = node_at(a).width;
  const uint64_t sign = uint64_t{1} << (width - 1);
  const bool is_signed = comparison == Operation::kSlt || comparison == Operation::kSle;
  const bool has_equal = comparison == Operation::kUle || comparison == Operation::kSle;
  if (is_constant(b)) {
    const uint64_t k = node_at(b).value;
    if (comparison == Operation::kEq) return upper_bound(a) < k ? Always::kFalse : Always::kNot;
    if (is_signed && upper_bound(a) >= sign) return Always::kNot;
    if (is_signed && k >= sign) return Always::kFalse;
    return upper_bound(a) < k || (has_equal && upper_bound(a) == k) ? Always::kTrue : Always::kNot;
  }
  if (!is_constant(a) || comparison == Operation::kEq) return Always::kNot;
  const uint64_t k = node_at(a).value;
  if (is_signed && upper_bound(b) >= sign) return Always::kNot;
  if (is_signed && k >= sign) return Always::kTrue;
  return upper_bound(b) < k || (!has_equal && upper_bound(b) == k) ? Always::kFalse : Always::kNot;
}

}  // namespace heddle::concolic
