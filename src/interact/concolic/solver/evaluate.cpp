#include "interact/concolic/solver/evaluate.h"

#include "interact/concolic/arithmetic.h"
#include "interact/concolic/solver/operands.h"

namespace heddle::concolic {

uint64_t table_value(const std::vector<unsigned char>& table, uint64_t offset, uint32_t width) {
  const uint32_t size = width / 8;
  if (table.size() < size || offset > table.size() - size) return 0;
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; ++i) value |= uint64_t{table[offset + i]} << (8 * i);
  return value;
}

uint64_t Evaluator::compute_node(const Node& node) const {
  switch (node.operation) {
    case Operation::kConstant:
      return node.value;
    case Operation::kInput: {
      const auto found = values_.find({node.a, node.b});
      return found == values_.end() ? node.value : found->second & width_mask(node.width);
    }
    case Operation::kTable:
      return table_value(recording_.tables[node.c], *known_[node.a], node.width);
    default:
      break;
  }
  const uint32_t count = operand_count(node.operation);
  const uint64_t a = *known_[node.a];
  const uint64_t b = count > 1 ? *known_[node.b] : 0;
  uint64_t c = count > 2 ? *known_[node.c] : node.c;
  if (node.operation == Operation::kConcat) c = recording_.nodes[node.b].width;
  return compute(node.operation, node.width, recording_.nodes[node.a].width, a, b, c);
}

uint64_t Evaluator::value(uint32_t handle) {
  for_each_needed(
      recording_, handle, [&](uint32_t node) { return known_[node].has_value(); },
      [&](uint32_t node) { known_[node] = compute_node(recording_.nodes[node]); });
  return *known_[handle];
}

}  // namespace heddle::concolic
