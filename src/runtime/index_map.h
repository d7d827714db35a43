// Open-addressing map from a 64-bit key (never 0) to an index. Starts small: each execution of the fork
// server pays for the pages it touches.
#pragma once

#include "runtime/address_space.h"

namespace heddle::rt {

class IndexMap {
 public:
  // The value is 0 when the key is new; the caller sets it before the next call.
  uint32_t* find(uint64_t key) {
    if (HEDDLE_UNLIKELY(used_ * 2 >= capacity_)) grow();
    Slot* slot = probe(slots_, capacity_, key);
    if (slot->key == 0) {
      used_++;
      slot->key = key;
    }
    return &slot->value;
  }

  void clear() {
    for (size_t i = 0; i < capacity_; ++i) slots_[i] = {};
    used_ = 0;
  }

 private:
  struct Slot {
    uint64_t key;
    uint32_t value;
  };
  static Slot* probe(Slot* slots, size_t capacity, uint64_t key) {
    size_t at = static_cast<size_t>(key * 0x9e3779b97f4a7c15ull >> 24) & (capacity - 1);
    while (slots[at].key != key && slots[at].key != 0) at = (at + 1) & (capacity - 1);
    return &slots[at];
  }
  void grow() {
    const size_t larger = capacity_ == 0 ? 32 : capacity_ * 2;
    auto* slots = static_cast<Slot*>(own_memory(larger * sizeof(Slot)));
    for (size_t i = 0; i < capacity_; ++i) {
      if (slots_[i].key != 0) *probe(slots, larger, slots_[i].key) = slots_[i];
    }
    if (slots_ != nullptr) drop_own_memory(slots_, capacity_ * sizeof(Slot));
    slots_ = slots;
    capacity_ = larger;
  }
  Slot* slots_ = nullptr;
  size_t capacity_ = 0;
  size_t used_ = 0;
};

}  // namespace heddle::rt
