// What the operations of expressions compute: the one definition, for the runtime, which knows the value of
// each node, and for the tool, which evaluates expressions for other inputs.
#pragma once

#include "interact/concolic/layout.h"

namespace heddle::concolic {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

constexpr uint64_t width_mask(uint32_t width) {
  return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
}

constexpr int64_t as_signed(uint64_t value, uint32_t width) {
  const uint32_t unused = 64 - width;
  return static_cast<int64_t>(value << unused) >> unused;
}

constexpr uint64_t divide_signed(uint64_t a, uint64_t b, uint32_t width, bool remainder) {
  const int64_t dividend = as_signed(a, width);
  const int64_t divisor = as_signed(b, width);
  if (divisor == 0) return remainder ? a : (dividend < 0 ? 1 : ~uint64_t{0});
  if (divisor == -1) return remainder ? 0 : -a;
  return static_cast<uint64_t>(remainder ? dividend % divisor : dividend / divisor);
}

// Whether the exact result does not fit into `width` bits.
constexpr bool overflows(Operation operation, uint64_t a, uint64_t b, uint32_t width) {
  const Wide sa = as_signed(a, width);
  const Wide sb = as_signed(b, width);
  const UnsignedWide ua = a;
  const UnsignedWide ub = b;
  const auto fits = [width](Wide exact) {
    return exact == as_signed(static_cast<uint64_t>(exact) & width_mask(width), width);
  };
  switch (operation) {
    case Operation::kUAddOverflow:
      return ua + ub > width_mask(width);
    case Operation::kUSubOverflow:
      return a < b;
    case Operation::kUMulOverflow:
      return ua * ub > width_mask(width);
    case Operation::kSAddOverflow:
      return !fits(sa + sb);
    case Operation::kSSubOverflow:
      return !fits(sa - sb);
    default:
      return !fits(sa * sb);
  }
}

// All operations whose operands are nodes, but kTable. `operand_width` is the width of a (and of b in
// comparisons), `c` is the third operand's value, or the first bit of kExtract, or the width of b for
// kConcat.
constexpr uint64_t compute(Operation operation, uint32_t width, uint32_t operand_width, uint64_t a,
                           uint64_t b, uint64_t c) {
  uint64_t result = 0;
  switch (operation) {
    case Operation::kAdd:
      result = a + b;
      break;
    case Operation::kSub:
      result = a - b;
      break;
    case Operation::kMul:
      result = a * b;
      break;
    case Operation::kUDiv:
      result = b == 0 ? ~uint64_t{0} : a / b;
      break;
    case Operation::kURem:
      result = b == 0 ? a : a % b;
      break;
    case Operation::kSDiv:
      result = divide_signed(a, b, width, false);
      break;
    case Operation::kSRem:
      result = divide_signed(a, b, width, true);
      break;
    case Operation::kAnd:
      result = a & b;
      break;
    case Operation::kOr:
      result = a | b;
      break;
    case Operation::kXor:
      result = a ^ b;
      break;
    case Operation::kShl:
      result = b >= width ? 0 : a << b;
      break;
    case Operation::kLShr:
      result = b >= width ? 0 : a >> b;
      break;
    case Operation::kAShr:
      result = static_cast<uint64_t>(as_signed(a, width) >> (b >= width ? width - 1 : b));
      break;
    case Operation::kEq:
      result = a == b;
      break;
    case Operation::kUlt:
      result = a < b;
      break;
    case Operation::kUle:
      result = a <= b;
      break;
    case Operation::kSlt:
      result = as_signed(a, operand_width) < as_signed(b, operand_width);
      break;
    case Operation::kSle:
      result = as_signed(a, operand_width) <= as_signed(b, operand_width);
      break;
    case Operation::kUAddOverflow:
    case Operation::kSAddOverflow:
    case Operation::kUSubOverflow:
    case Operation::kSSubOverflow:
    case Operation::kUMulOverflow:
    case Operation::kSMulOverflow:
      result = overflows(operation, a, b, operand_width);
      break;
    case Operation::kZExt:
      result = a;
      break;
    case Operation::kSExt:
      result = static_cast<uint64_t>(as_signed(a, operand_width));
      break;
    case Operation::kExtract:
      result = a >> c;
      break;
    case Operation::kConcat:
      result = a << c | b;
      break;
    case Operation::kIte:
      result = a != 0 ? b : c;
      break;
    case Operation::kConstant:
    case Operation::kInput:
    case Operation::kTable:
    case Operation::kCount:
      break;
  }
  return result & width_mask(width);
}

// How many of a, b and c are handles of nodes.
constexpr uint32_t operand_count(Operation operation) {
  switch (operation) {
    case Operation::kConstant:
    case Operation::kInput:
    case Operation::kCount:
      return 0;
    case Operation::kZExt:
    case Operation::kSExt:
    case Operation::kExtract:
    case Operation::kTable:
      return 1;
    case Operation::kIte:
      return 3;
    default:
      return 2;
  }
}

}  // namespace heddle::concolic
