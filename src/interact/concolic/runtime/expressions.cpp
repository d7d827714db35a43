#include "interact/concolic/runtime/expressions.h"

#include <sys/mman.h>

#include "interact/concolic/runtime/bounds.h"

namespace heddle::concolic {
namespace {

constexpr uint32_t kFirstSlots = 1U << 12;

// Open addressing; of handles.
struct NodeIndex {
  uint32_t* slots = nullptr;
  uint32_t size = 0;
};
NodeIndex node_index;

uint32_t* map_slots(uint32_t size) {
  void* const slots = mmap(nullptr, size * sizeof(uint32_t), PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return slots == MAP_FAILED ? nullptr : static_cast<uint32_t*>(slots);
}

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
  return hash ^ hash >> 32;
}

bool has_own_value(Operation operation) {
  return operation == Operation::kConstant;
}

uint32_t first_slot(const Node& node) {
  uint64_t hash = mix(static_cast<uint64_t>(node.operation) << 8 | node.width,
                      static_cast<uint64_t>(node.a) << 32 | node.b);
  hash = mix(hash, node.c);
  if (has_own_value(node.operation)) hash = mix(hash, node.value);
  return static_cast<uint32_t>(hash) & (node_index.size - 1);
}

bool is_same(const Node& a, const Node& b) {
  return a.operation == b.operation && a.width == b.width && a.a == b.a && a.b == b.b && a.c == b.c &&
         (!has_own_value(a.operation) || a.value == b.value);
}

bool make_room() {
  const uint32_t count = recording.header->node_count;
  if (node_index.size != 0 && count * 2 < node_index.size) return true;
  const uint32_t size = node_index.size == 0 ? kFirstSlots : node_index.size * 2;
  uint32_t* const slots = map_slots(size);
  if (slots == nullptr) return false;
  if (node_index.slots != nullptr) munmap(node_index.slots, node_index.size * sizeof(uint32_t));
  node_index = {slots, size};
  for (uint32_t handle = 1; handle < count; ++handle) {
    uint32_t slot = first_slot(recording.nodes[handle]);
    while (slots[slot] != 0) slot = (slot + 1) & (size - 1);
    slots[slot] = handle;
  }
  return true;
}

uint32_t intern(const Node& node) {
  if (!is_recording) return 0;
  ArenaHeader& header = *recording.header;
  if (!make_room()) {
    stop_recording(Stop::kNodes);
    return 0;
  }
  uint32_t slot = first_slot(node);
  for (; node_index.slots[slot] != 0; slot = (slot + 1) & (node_index.size - 1)) {
    if (is_same(recording.nodes[node_index.slots[slot]], node)) return node_index.slots[slot];
  }
  if (header.node_count == header.node_capacity) {
    stop_recording(Stop::kNodes);
    return 0;
  }
  const uint32_t handle = header.node_count;
  if (!keep_bound(handle, bound_of(node))) {
    stop_recording(Stop::kNodes);
    return 0;
  }
  recording.nodes[handle] = node;
  node_index.slots[slot] = handle;
  ++header.node_count;
  return handle;
}

uint32_t make(Operation operation, uint32_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value) {
  return intern({operation, static_cast<uint8_t>(width), 0, a, b, c, value});
}

bool is_commutative(Operation operation) {
  switch (operation) {
    case Operation::kAdd:
    case Operation::kMul:
    case Operation::kAnd:
    case Operation::kOr:
    case Operation::kXor:
    case Operation::kEq:
    case Operation::kUAddOverflow:
    case Operation::kSAddOverflow:
    case Operation::kUMulOverflow:
    case Operation::kSMulOverflow:
      return true;
    default:
      return false;
  }
}

bool is_predicate(Operation operation) {
  return operation >= Operation::kEq && operation <= Operation::kSMulOverflow;
}

// x == k, where x was made so that less than x says the same; 0 if not.
uint32_t simpler_equality(uint32_t x, uint64_t k) {
  const Node& node = node_at(x);
  if (node.width == 1) return k != 0 ? x : make_not(x);
  if (node.operation == Operation::kZExt) {
    const uint32_t width = node_at(node.a).width;
    if ((k & ~width_mask(width)) != 0) return make_constant(1, 0);
    return make_binary(Operation::kEq, node.a, make_constant(width, k));
  }
  if (node.operation == Operation::kSExt) {
    const uint32_t width = node_at(node.a).width;
    if ((static_cast<uint64_t>(as_signed(k & width_mask(width), width)) & width_mask(node.width)) != k)
      return make_constant(1, 0);
    return make_binary(Operation::kEq, node.a, make_constant(width, k & width_mask(width)));
  }
  if (node.operation == Operation::kIte && is_constant(node.b) && is_constant(node.c)) {
    const bool is_then = node_at(node.b).value == k;
    const bool is_else = node_at(node.c).value == k;
    if (is_then && is_else) return make_constant(1, 1);
    if (is_then) return node.a;
    return is_else ? make_not(node.a) : make_constant(1, 0);
  }
  return 0;
}

// x + k1 + k2 in one step; 0 if x is no such sum.
uint32_t simpler_sum(uint32_t x, uint64_t k) {
  const Node& node = node_at(x);
  if (node.operation != Operation::kAdd || !is_constant(node.b)) return 0;
  return make_binary(Operation::kAdd, node.a, make_constant(node.width, node_at(node.b).value + k));
}

// The result for a constant second operand, if that is one of the operands or a constant; 0 if not.
uint32_t simpler_with_constant(Operation operation, uint32_t a, uint32_t b) {
  const uint32_t width = node_at(a).width;
  const uint64_t k = node_at(b).value;
  switch (operation) {
    case Operation::kSub:
      return k == 0 ? a : make_binary(Operation::kAdd, a, make_constant(width, 0 - k));
    case Operation::kAdd:
      return k == 0 ? a : simpler_sum(a, k);
    case Operation::kOr:
    case Operation::kXor:
    case Operation::kShl:
    case Operation::kLShr:
    case Operation::kAShr:
      return k == 0 ? a : 0;
    case Operation::kMul:
      return k == 1 ? a : k == 0 ? b : 0;
    case Operation::kAnd:
      return k == width_mask(width) ? a : k == 0 ? b : 0;
    case Operation::kUDiv:
    case Operation::kSDiv:
      return k == 1 && width > 1 ? a : 0;
    case Operation::kEq:
      return simpler_equality(a, k);
    default:
      return 0;
  }
}

}  // namespace

uint32_t make_constant(uint32_t width, uint64_t value) {
  return make(Operation::kConstant, width, 0, 0, 0, value & width_mask(width));
}

uint32_t make_input(uint32_t width, uint32_t source, uint32_t offset, uint64_t value) {
  return make(Operation::kInput, width, source, offset, 0, value);
}

uint32_t make_binary(Operation operation, uint32_t a, uint32_t b) {
  if (a == 0 || b == 0) return 0;
  const uint32_t operand_width = node_at(a).width;
  const uint32_t width = is_predicate(operation) ? 1 : operand_width;
  const uint64_t value = compute(operation, width, operand_width, node_at(a).value, node_at(b).value, 0);
  if (is_constant(a) && is_constant(b)) return make_constant(width, value);
  if (is_commutative(operation) && (is_constant(a) || (a > b && !is_constant(b)))) {
    const uint32_t first = a;
    a = b;
    b = first;
  }
  if (is_constant(b)) {
    if (const uint32_t simpler = simpler_with_constant(operation, a, b)) return simpler;
  }
  if (operation >= Operation::kEq && operation <= Operation::kSle && always(operation, a, b) != Always::kNot)
    return make_constant(1, value);
  return make(operation, width, a, b, 0, value);
}

uint32_t make_not(uint32_t a) {
  if (a == 0) return 0;
  const Node& node = node_at(a);
  if (node.operation == Operation::kXor && is_constant(node.b) &&
      node_at(node.b).value == width_mask(node.width))
    return node.a;
  return make_binary(Operation::kXor, a, make_constant(node.width, ~uint64_t{0}));
}

uint32_t make_extension(Operation operation, uint32_t width, uint32_t a) {
  if (a == 0) return 0;
  const Node& node = node_at(a);
  if (node.width == width) return a;
  const uint64_t value = compute(operation, width, node.width, node.value, 0, 0);
  if (is_constant(a)) return make_constant(width, value);
  if (node.operation == operation) return make_extension(operation, width, node.a);
  if (node.operation == Operation::kZExt) return make_extension(Operation::kZExt, width, node.a);
  return make(operation, width, a, 0, 0, value);
}

uint32_t make_extract(uint32_t width, uint32_t a, uint32_t first_bit) {
  if (a == 0) return 0;
  const Node& node = node_at(a);
  if (node.width == width) return a;
  const uint64_t value = compute(Operation::kExtract, width, node.width, node.value, 0, first_bit);
  if (is_constant(a)) return make_constant(width, value);
  switch (node.operation) {
    case Operation::kExtract:
      return make_extract(width, node.a, node.c + first_bit);
    case Operation::kConcat: {
      const uint32_t lower_width = node_at(node.b).width;
      if (first_bit >= lower_width) return make_extract(width, node.a, first_bit - lower_width);
      if (first_bit + width <= lower_width) return make_extract(width, node.b, first_bit);
      break;
    }
    case Operation::kZExt: {
      const uint32_t inner_width = node_at(node.a).width;
      if (first_bit >= inner_width) return make_constant(width, 0);
      if (first_bit + width <= inner_width) return make_extract(width, node.a, first_bit);
      if (first_bit == 0) return make_extension(Operation::kZExt, width, node.a);
      break;
    }
    case Operation::kSExt: {
      const uint32_t inner_width = node_at(node.a).width;
      if (first_bit + width <= inner_width) return make_extract(width, node.a, first_bit);
      if (first_bit == 0) return make_extension(Operation::kSExt, width, node.a);
      break;
    }
    default:
      break;
  }
  return make(Operation::kExtract, width, a, 0, first_bit, value);
}

uint32_t make_concat(uint32_t upper, uint32_t lower) {
  if (upper == 0 || lower == 0) return 0;
  const Node& high = node_at(upper);
  const Node& low = node_at(lower);
  const uint32_t width = high.width + low.width;
  const uint64_t value = compute(Operation::kConcat, width, 0, high.value, low.value, low.width);
  if (is_constant(upper) && is_constant(lower)) return make_constant(width, value);
  if (is_constant(upper) && high.value == 0) return make_extension(Operation::kZExt, width, lower);
  const bool is_continued = high.operation == Operation::kExtract && low.operation == Operation::kExtract &&
                            high.a == low.a && low.c + low.width == high.c;
  if (is_continued) return make_extract(width, high.a, low.c);
  // The lowest bits of a value are not an extract of it if it was only extended.
  if (high.operation == Operation::kExtract && high.c == low.width &&
      node_at(high.a).operation == Operation::kSExt && node_at(high.a).a == lower)
    return make_extract(width, high.a, 0);
  return make(Operation::kConcat, width, upper, lower, 0, value);
}

uint32_t make_ite(uint32_t condition, uint32_t then_node, uint32_t else_node) {
  if (condition == 0 || then_node == 0 || else_node == 0) return 0;
  if (then_node == else_node) return then_node;
  const bool holds = node_at(condition).value != 0;
  if (is_constant(condition)) return holds ? then_node : else_node;
  const uint32_t width = node_at(then_node).width;
  if (width == 1 && is_constant(then_node) && is_constant(else_node))
    return node_at(then_node).value != 0 ? condition : make_not(condition);
  return make(Operation::kIte, width, condition, then_node, else_node,
              node_at(holds ? then_node : else_node).value);
}

uint32_t make_table_read(uint32_t width, uint32_t offset, uint32_t table, uint64_t value) {
  if (offset == 0) return 0;
  if (is_constant(offset)) return make_constant(width, value);
  return make(Operation::kTable, width, offset, 0, table, value);
}

uint32_t make_resized(uint32_t width, uint32_t a) {
  if (a == 0) return 0;
  return node_at(a).width > width ? make_extract(width, a, 0) : make_extension(Operation::kZExt, width, a);
}

bool is_multiple_of(uint32_t handle, uint64_t power) {
  if (power == 1) return true;
  if (handle == 0) return false;
  const Node& node = node_at(handle);
  switch (node.operation) {
    case Operation::kConstant:
      return (node.value & (power - 1)) == 0;
    case Operation::kAdd:
    case Operation::kSub:
      return is_multiple_of(node.a, power) && is_multiple_of(node.b, power);
    case Operation::kMul:
      return is_constant(node.b) && (node_at(node.b).value & (power - 1)) == 0;
    case Operation::kShl:
      return is_constant(node.b) && node_at(node.b).value < 64 && (power - 1) >> node_at(node.b).value == 0;
    default:
      return false;
  }
}

uint32_t trusted(uint32_t width, uint32_t handle, uint64_t value) {
  if (handle == 0 || !is_recording) return 0;
  const Node& node = node_at(handle);
  if (node.width == width && node.value == (value & width_mask(width))) return handle;
  ++recording.header->mismatches;
  return 0;
}

uint32_t operand(uint32_t width, uint32_t handle, uint64_t value) {
  const uint32_t node = trusted(width, handle, value);
  return node != 0 || !is_recording ? node : make_constant(width, value);
}

}  // namespace heddle::concolic
