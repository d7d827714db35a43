#include "interact/concolic/runtime/composites.h"

#include "interact/concolic/runtime/expressions.h"

namespace heddle::concolic {
namespace {

uint32_t make_choice(Operation comparison, uint32_t a, uint32_t b, bool smaller) {
  const uint32_t condition = make_binary(comparison, a, b);
  return smaller ? make_ite(condition, a, b) : make_ite(condition, b, a);
}

uint32_t make_absolute(uint32_t a) {
  const uint32_t zero = make_constant(node_at(a).width, 0);
  return make_ite(make_binary(Operation::kSlt, a, zero), make_binary(Operation::kSub, zero, a), a);
}

// The parts of `part_width` bits in the opposite order.
uint32_t make_reversed(uint32_t a, uint32_t part_width) {
  const uint32_t width = node_at(a).width;
  uint32_t result = make_extract(part_width, a, 0);
  for (uint32_t bit = part_width; bit < width; bit += part_width)
    result = make_concat(result, make_extract(part_width, a, bit));
  return result;
}

uint32_t make_population_count(uint32_t a) {
  const uint32_t width = node_at(a).width;
  uint32_t result = make_constant(width, 0);
  for (uint32_t bit = 0; bit < width; ++bit)
    result = make_binary(Operation::kAdd, result,
                         make_extension(Operation::kZExt, width, make_extract(1, a, bit)));
  return result;
}

// The number of zeros before the first one, from the upper or the lower end.
uint32_t make_zero_count(uint32_t a, bool from_top) {
  const uint32_t width = node_at(a).width;
  uint32_t result = make_constant(width, width);
  for (uint32_t i = width; i-- > 0;) {
    const uint32_t bit = from_top ? width - 1 - i : i;
    result = make_ite(make_extract(1, a, bit), make_constant(width, i), result);
  }
  return result;
}

uint32_t make_funnel(uint32_t a, uint32_t b, uint32_t amount, bool left) {
  const uint32_t width = node_at(a).width;
  const uint32_t by = make_binary(Operation::kURem, amount, make_constant(width, width));
  const uint32_t rest = make_binary(Operation::kSub, make_constant(width, width), by);
  // A shift by the whole width gives 0, which is what it needs here.
  return left ? make_binary(Operation::kOr, make_binary(Operation::kShl, a, by),
                            make_binary(Operation::kLShr, b, rest))
              : make_binary(Operation::kOr, make_binary(Operation::kShl, a, rest),
                            make_binary(Operation::kLShr, b, by));
}

uint32_t make_saturated(Operation operation, Operation overflow, uint32_t limit, uint32_t a, uint32_t b) {
  return make_ite(make_binary(overflow, a, b), limit, make_binary(operation, a, b));
}

// Where a signed result ends that is too large in the direction of a's sign.
uint32_t make_signed_limit(uint32_t a) {
  const uint32_t width = node_at(a).width;
  const uint64_t smallest = uint64_t{1} << (width - 1);
  return make_ite(make_binary(Operation::kSlt, a, make_constant(width, 0)), make_constant(width, smallest),
                  make_constant(width, smallest - 1));
}

}  // namespace

uint32_t make_composite(Composite composite, uint32_t a, uint32_t b, uint32_t c) {
  if (a == 0 || b == 0 || c == 0) return 0;
  const uint32_t width = node_at(a).width;
  switch (composite) {
    case Composite::kSMin:
      return make_choice(Operation::kSlt, a, b, true);
    case Composite::kSMax:
      return make_choice(Operation::kSlt, a, b, false);
    case Composite::kUMin:
      return make_choice(Operation::kUlt, a, b, true);
    case Composite::kUMax:
      return make_choice(Operation::kUlt, a, b, false);
    case Composite::kAbs:
      return make_absolute(a);
    case Composite::kByteSwap:
      return make_reversed(a, 8);
    case Composite::kBitReverse:
      return make_reversed(a, 1);
    case Composite::kPopulationCount:
      return make_population_count(a);
    case Composite::kLeadingZeros:
      return make_zero_count(a, true);
    case Composite::kTrailingZeros:
      return make_zero_count(a, false);
    case Composite::kFunnelLeft:
      return make_funnel(a, b, c, true);
    case Composite::kFunnelRight:
      return make_funnel(a, b, c, false);
    case Composite::kUAddSaturated:
      return make_saturated(Operation::kAdd, Operation::kUAddOverflow, make_constant(width, ~uint64_t{0}), a,
                            b);
    case Composite::kUSubSaturated:
      return make_saturated(Operation::kSub, Operation::kUSubOverflow, make_constant(width, 0), a, b);
    case Composite::kSAddSaturated:
      return make_saturated(Operation::kAdd, Operation::kSAddOverflow, make_signed_limit(a), a, b);
    case Composite::kSSubSaturated:
      return make_saturated(Operation::kSub, Operation::kSSubOverflow, make_signed_limit(a), a, b);
  }
  return 0;
}

}  // namespace heddle::concolic
