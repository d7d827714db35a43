// PairTable: pairs of operations, each pair of sites once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detect/detection.h"

namespace heddle::detect {

class PairTable {
 public:
  explicit PairTable(size_t most) : most_(most) {}

  // `certain` pairs take the place of others as the example.
  void add(uint32_t object, const Side& first, const Side& second, bool certain = true) {
    const Key key = key_of(first, second);
    const auto [at, is_new] = index_.try_emplace(key, found_.size());
    if (!is_new) {
      if (at->second == kLeftOut) return;
      PairFinding& pair = found_[at->second];
      pair.count++;
      if (certain && !pair.certain) pair = {first, second, object, pair.count, true};
      return;
    }
    if (found_.size() == most_) {
      // Remembered, so that the number is one of pairs, for a while.
      left_out_++;
      if (index_.size() < 4 * most_ + 16)
        at->second = kLeftOut;
      else
        index_.erase(at);
      return;
    }
    found_.push_back({first, second, object, 1, certain});
  }

  const std::vector<PairFinding>& found() const { return found_; }
  uint64_t left_out() const { return left_out_; }
  uint64_t bytes() const { return found_.capacity() * sizeof(PairFinding) + index_.size() * 48; }

 private:
  static constexpr size_t kLeftOut = ~size_t{0};
  using Key = std::pair<uint64_t, uint64_t>;
  struct Hash {
    size_t operator()(const Key& key) const {
      return static_cast<size_t>((key.first * 0x9e3779b97f4a7c15ull ^ key.second) * 0xff51afd7ed558ccdull >>
                                 8);
    }
  };

  static uint64_t half(const Side& side) {
    return uint64_t{side.site} << 8 | static_cast<uint64_t>(side.kind);
  }
  static Key key_of(const Side& first, const Side& second) {
    return std::minmax({half(first), half(second)});
  }

  size_t most_;
  std::vector<PairFinding> found_;
  std::unordered_map<Key, size_t, Hash> index_;
  uint64_t left_out_ = 0;
};

}  // namespace heddle::detect
