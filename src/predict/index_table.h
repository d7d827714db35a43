// IndexTable: numbers pairs of integers in the order in which they first appear.
//
// Building a model looks up a location for every access, so this is open addressing in one flat array rather
// than a node for every key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {

class IndexTable {
 public:
  IndexTable() : slots_(64) {}

  // The number of (first, second): a new one, equal to the old size(), if it has none.
  uint32_t number(uint32_t first, uint64_t second) {
    Slot* slot = find(first, second);
    if (slot->number != 0) return slot->number - 1;
    *slot = {second, first, ++size_};
    const uint32_t result = size_ - 1;
    if (size_ * uint64_t{2} > slots_.size()) grow();
    return result;
  }

  uint32_t size() const { return size_; }
  size_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

 private:
  struct Slot {
    uint64_t second = 0;
    uint32_t first = 0;
    uint32_t number = 0;  // plus 1; 0 is a free slot
  };

  Slot* find(uint32_t first, uint64_t second) {
    uint64_t hash = (second ^ (uint64_t{first} << 40)) * 0x9e3779b97f4a7c15U;
    hash = (hash ^ (hash >> 32)) + first;
    const size_t mask = slots_.size() - 1;
    for (size_t i = hash & mask;; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.number == 0 || (slot.second == second && slot.first == first)) return &slot;
    }
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != 0) *find(slot.first, slot.second) = slot;
    }
  }

  std::vector<Slot> slots_;  // a power of two
  uint32_t size_ = 0;
};

}  // namespace heddle
