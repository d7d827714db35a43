// PairTable: pairs of operations, each pair of sites once for each two of its first calling contexts.
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
    const auto [at, is_new] = index_.try_emplace(key_of(first, second), found_.size());
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
      if (index_.size() < 4 * most_ + 16) {
        at->second = kLeftOut;
      } else {
        index_.erase(at);
        contexts_.erase(places_of(first, second));
      }
      return;
    }
    found_.push_back({first, second, object, 1, certain});
  }

  const std::vector<PairFinding>& found() const { return found_; }
  uint64_t left_out() const { return left_out_; }
  uint64_t bytes() const {
    return found_.capacity() * sizeof(PairFinding) + (index_.size() + contexts_.size()) * 64;
  }

 private:
  static constexpr size_t kLeftOut = ~size_t{0};
  // Suppressions can be about callers, so one pair of contexts does not stand for all. Those beyond count for
  // one entry without contexts.
  static constexpr uint32_t kMostContexts = 16;

  struct Half {
    uint64_t place;  // site and kind
    uint32_t context;

    auto operator<=>(const Half&) const = default;
  };
  using Key = std::pair<Half, Half>;
  struct Hash {
    size_t operator()(const Key& key) const {
      constexpr uint64_t kMix = 0x9e3779b97f4a7c15ull;
      uint64_t mixed = (key.first.place * kMix ^ key.second.place) * 0xff51afd7ed558ccdull;
      mixed = (mixed ^ uint64_t{key.first.context} << 32 ^ key.second.context) * kMix;
      return static_cast<size_t>(mixed >> 8);
    }
  };

  static Half half(const Side& side) {
    return {uint64_t{side.site} << 8 | static_cast<uint64_t>(side.kind), side.context};
  }
  static Key places_of(const Side& first, const Side& second) {
    Key key = std::minmax({half(first), half(second)});
    key.first.context = key.second.context = 0;
    return key;
  }
  Key key_of(const Side& first, const Side& second) {
    Key key = std::minmax({half(first), half(second)});
    if (index_.contains(key)) return key;
    const Key places = places_of(first, second);
    uint32_t& contexts = contexts_[places];
    if (contexts == kMostContexts) return places;
    ++contexts;
    return key;
  }

  size_t most_;
  std::vector<PairFinding> found_;
  std::unordered_map<Key, size_t, Hash> index_;
  std::unordered_map<Key, uint32_t, Hash> contexts_;  // how many pairs of them are told apart, by places
  uint64_t left_out_ = 0;
};

}  // namespace heddle::detect
