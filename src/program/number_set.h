// NumberSet: a set of numbers that only grows, in one piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::program {

class NumberSet {
 public:
  // False if it is there already. Not the largest number of all, which marks free slots.
  bool insert(uint64_t number) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    uint64_t& slot = slot_of(number);
    if (slot == number) return false;
    slot = number;
    ++size_;
    return true;
  }
  size_t size() const { return size_; }

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};

  uint64_t& slot_of(uint64_t number) {
    const size_t mask = slots_.size() - 1;
    const uint64_t mixed = number * 0x9e3779b97f4a7c15ull;
    size_t at = static_cast<size_t>(mixed ^ (mixed >> 32)) & mask;
    while (slots_[at] != kFree && slots_[at] != number) at = (at + 1) & mask;
    return slots_[at];
  }

  void grow() {
    const std::vector<uint64_t> before = std::move(slots_);
    slots_.assign(before.empty() ? 1024 : 2 * before.size(), kFree);
    for (const uint64_t number : before)
      if (number != kFree) slot_of(number) = number;
  }

  std::vector<uint64_t> slots_;  // a power of two
  size_t size_ = 0;
};

}  // namespace heddle::program
