// LockSets: sets of held locks as small numbers, so that comparing and intersecting them is looking up.
//
// A member is a lock and whether it is held for reading only. Number 0 is the empty set. What was computed
// lately is remembered in a table of fixed size.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::detect {

// The lock of a member.
inline uint32_t lock_of(uint32_t member) {
  return member / 2;
}

class LockSets {
 public:
  using Set = uint32_t;
  static constexpr Set kEmpty = 0;

  static uint32_t member(uint32_t lock, bool reading) { return lock * 2 + (reading ? 1 : 0); }

  LockSets();

  Set with(Set set, uint32_t member) { return compute(Operation::kWith, set, member); }
  Set without(Set set, uint32_t member) { return compute(Operation::kWithout, set, member); }

  // Eraser's candidate sets have locks without modes. A read is protected by locks held in either mode, a
  // write only by those held for writing.
  Set protecting(Set held, bool write) { return compute(Operation::kProtecting, held, write); }
  Set keep(Set candidates, Set held, bool write) {
    return compute(write ? Operation::kKeepForWrite : Operation::kKeepForRead, candidates, held);
  }

  // Locks that are in both, for reading if they are so in one of them.
  Set common(Set a, Set b) {
    if (a == b || a == kEmpty) return a;
    return compute(Operation::kCommon, a, b);
  }

  // Whether some lock is in both, and not for reading in both: then the holders exclude each other.
  bool exclude(Set a, Set b) {
    if (a == kEmpty || b == kEmpty) return false;
    return compute(Operation::kExclude, a < b ? a : b, a < b ? b : a) != 0;
  }

  std::span<const uint32_t> members(Set set) const;
  uint64_t bytes() const;

 private:
  enum class Operation : uint64_t {
    kNone,
    kWith,
    kWithout,
    kProtecting,
    kKeepForRead,
    kKeepForWrite,
    kCommon,
    kExclude
  };
  struct Remembered {
    uint64_t operands = 0;
    uint32_t operation = 0;
    uint32_t result = 0;
  };

  uint32_t compute(Operation operation, uint32_t a, uint32_t b) {
    const uint64_t operands = uint64_t{a} << 32 | b;
    const uint64_t hash = (operands + static_cast<uint64_t>(operation)) * 0x9e3779b97f4a7c15ull;
    Remembered& entry = remembered_[hash >> (64 - kRememberedBits)];
    if (entry.operands == operands && entry.operation == static_cast<uint32_t>(operation)) [[likely]]
      return entry.result;
    const uint32_t result = compute_anew(operation, a, b);
    entry = {operands, static_cast<uint32_t>(operation), result};
    return result;
  }
  uint32_t compute_anew(Operation operation, uint32_t a, uint32_t b);
  Set intern(const std::vector<uint32_t>& members);

  static constexpr unsigned kRememberedBits = 14;
  std::vector<Remembered> remembered_;
  std::vector<uint32_t> members_;  // of all sets, one after the other, each ascending
  std::vector<uint64_t> begins_;   // begins_[set], and the end at begins_[set + 1]
  std::unordered_multimap<uint64_t, Set> by_hash_;
  std::vector<uint32_t> scratch_;
};

}  // namespace heddle::detect
