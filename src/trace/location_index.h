// LocationIndex: small numbers for the locations that a detector meets, in the order it meets them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::trace {

class LocationIndex {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  LocationIndex() : slots_(kFirstSize, Slot{0, kNone, 0}) {}

  // The number of the location, a new one if it has none yet.
  uint32_t number(uint32_t object, uint64_t offset) {
    Slot* slot = probe(object, offset);
    if (slot->number != kNone) return slot->number;
    if ((count_ + 1) * 2 > slots_.size()) {
      grow();
      slot = probe(object, offset);
    }
    *slot = {offset, static_cast<uint32_t>(count_), object};
    return static_cast<uint32_t>(count_++);
  }
  uint32_t find(uint32_t object, uint64_t offset) const {
    return const_cast<LocationIndex*>(this)->probe(object, offset)->number;
  }
  size_t size() const { return count_; }

 private:
  static constexpr size_t kFirstSize = 64;
  struct Slot {
    uint64_t offset;
    uint32_t number;
    uint32_t object;
  };

  Slot* probe(uint32_t object, uint64_t offset) {
    const uint64_t hash = (offset ^ (uint64_t{object} << 40) ^ object) * 0x9e3779b97f4a7c15ull;
    size_t at = static_cast<size_t>(hash >> 20) & (slots_.size() - 1);
    while (slots_[at].number != kNone && (slots_[at].offset != offset || slots_[at].object != object))
      at = (at + 1) & (slots_.size() - 1);
    return &slots_[at];
  }
  void grow() {
    std::vector<Slot> old(slots_.size() * 2, Slot{0, kNone, 0});
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.number != kNone) *probe(slot.object, slot.offset) = slot;
  }

  std::vector<Slot> slots_;
  size_t count_ = 0;
};

}  // namespace heddle::trace
