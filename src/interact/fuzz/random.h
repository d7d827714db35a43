// Random: choices of the fuzzing loop, the same for the same seed on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::fuzz {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // SplitMix64.
  uint64_t next() {
    uint64_t value = state_ += 0x9e3779b97f4a7c15U;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9U;
    value = (value ^ value >> 27) * 0x94d049bb133111ebU;
    return value ^ value >> 31;
  }

  // Of 0 … limit-1; 0 if there is none.
  size_t below(size_t limit) { return limit == 0 ? 0 : static_cast<size_t>(next() % limit); }
  bool one_in(size_t count) { return below(count) == 0; }
  // At least 0, below 1.
  double fraction() { return static_cast<double>(next() >> 11) / static_cast<double>(uint64_t{1} << 53); }

 private:
  uint64_t state_;
};

}  // namespace heddle::fuzz
