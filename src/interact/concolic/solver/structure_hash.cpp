#include "interact/concolic/solver/structure_hash.h"

#include "interact/concolic/arithmetic.h"

namespace heddle::concolic {
namespace {

uint64_t mix(uint64_t hash, uint64_t value, uint64_t factor) {
  hash = (hash ^ value) * factor;
  return hash ^ hash >> 29;
}

class Hasher {
 public:
  void add(uint64_t value) {
    hash_.upper = mix(hash_.upper, value, 0x9e3779b97f4a7c15U);
    hash_.lower = mix(hash_.lower + 1, value, 0xc2b2ae3d27d4eb4fU);
  }
  void add(const StructureHash& other) {
    add(other.upper);
    add(other.lower);
  }
  const StructureHash& result() const { return hash_; }

 private:
  StructureHash hash_;
};

StructureHash table_hash(const std::vector<unsigned char>& table) {
  Hasher hasher;
  for (const unsigned char byte : table) hasher.add(byte);
  return hasher.result();
}

}  // namespace

std::vector<StructureHash> structure_hashes(const Recording& recording) {
  std::vector<StructureHash> tables;
  for (const auto& table : recording.tables) tables.push_back(table_hash(table));
  std::vector<StructureHash> hashes(recording.nodes.size());
  for (size_t handle = 1; handle < hashes.size(); ++handle) {
    const Node& node = recording.nodes[handle];
    Hasher hasher;
    hasher.add(static_cast<uint64_t>(node.operation) << 8 | node.width);
    const uint32_t parts[] = {node.a, node.b, node.c};
    const uint32_t operands = operand_count(node.operation);
    for (uint32_t i = 0; i < 3; ++i) {
      if (i < operands)
        hasher.add(hashes[parts[i]]);
      else if (node.operation == Operation::kTable && i == 2)
        hasher.add(tables[node.c]);
      else
        hasher.add(parts[i]);
    }
    if (node.operation == Operation::kConstant) hasher.add(node.value);
    hashes[handle] = hasher.result();
  }
  return hashes;
}

StructureHash constraint_hash(const StructureHash& condition, bool holds) {
  Hasher hasher;
  hasher.add(condition);
  hasher.add(holds ? 1 : 0);
  return hasher.result();
}

}  // namespace heddle::concolic
