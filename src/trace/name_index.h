// NameIndex: numbers for names, quickly.
//
// Names in traces are mostly a letter and a small number, as in T12 or V123, or a number alone. These are
// found by indexing; all others by hashing. The names themselves are in a string table of the caller's.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::trace {

class NameIndex {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // A name that consists of at most one letter and a number without leading zeros. The letter is '0' if
  // there is none.
  struct Numbered {
    unsigned char letter;
    uint32_t number;
  };

  // The value of the name, or kNone.
  uint32_t find(Numbered name) const {
    const std::vector<uint32_t>& values = direct_[name.letter];
    return name.number < values.size() ? values[name.number] : kNone;
  }
  uint32_t find(std::string_view name, const std::vector<char>& strings) const;

  // Where it is to be remembered: a numbered name that is far above the others goes the way of text.
  bool is_dense(Numbered name) const { return name.number < kDense + 8 * count_; }
  void add(Numbered name, uint32_t value);
  void add(std::string_view name, uint32_t value, uint32_t string);

 private:
  static constexpr uint64_t kDense = 1 << 16;
  struct Slot {
    uint32_t string = 0;  // its offset in the table; 0: unused
    uint32_t value = 0;
    uint64_t hash = 0;
  };

  void insert(const Slot& slot);

  std::array<std::vector<uint32_t>, 256> direct_;
  std::vector<Slot> slots_;
  uint64_t hashed_ = 0;
  uint64_t count_ = 0;
};

}  // namespace heddle::trace
