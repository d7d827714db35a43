// PairTable: pairs of operations, each pair of sites once for each variable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "detect/detection.h"
#include "trace/event_stream.h"
#include "trace/variable_key.h"

namespace heddle::detect {

class PairTable {
 public:
  // The stream is where the pairs come from; it must outlive this.
  PairTable(const trace::EventStream& stream, size_t most) : stream_(stream), most_(most) {}

  // `certain` pairs take the place of others as the example.
  void add(uint32_t object, const Side& first, const Side& second, bool certain = true) {
    std::vector<Listed>& listed = by_sites_[sites_of(first, second)];
    // Of a block operation, where it begins: it is about one variable.
    const uint64_t variable =
        trace::variable_key(stream_.objects(), object, std::min(first.offset, second.offset));
    auto at = std::ranges::find(listed, variable, &Listed::variable);
    if (at == listed.end()) {
      if (listed.size() < trace::kMostVariablesAtSites)
        return list(listed, variable, object, first, second, certain);
      at = std::prev(listed.end());
    }
    if (at->number == kLeftOut) return;
    PairFinding& pair = found_[at->number];
    pair.count++;
    if (certain && !pair.certain) pair = {first, second, object, pair.count, true};
  }

  const std::vector<PairFinding>& found() const { return found_; }
  uint64_t left_out() const { return left_out_; }
  uint64_t bytes() const {
    return found_.capacity() * sizeof(PairFinding) + by_sites_.size() * 64 + listed_ * 2 * sizeof(Listed);
  }

 private:
  static constexpr size_t kLeftOut = ~size_t{0};
  struct Listed {
    uint64_t variable;
    size_t number;  // of the finding
  };
  using Sites = std::pair<uint64_t, uint64_t>;
  struct Hash {
    size_t operator()(const Sites& sites) const { return trace::mix_key(sites.first, sites.second); }
  };

  static uint64_t half(const Side& side) {
    return uint64_t{side.site} << 8 | static_cast<uint64_t>(side.kind);
  }
  static Sites sites_of(const Side& first, const Side& second) {
    return std::minmax({half(first), half(second)});
  }

  void list(std::vector<Listed>& listed, uint64_t variable, uint32_t object, const Side& first,
            const Side& second, bool certain) {
    if (found_.size() < most_) {
      listed.push_back({variable, found_.size()});
      listed_++;
      found_.push_back({first, second, object, 1, certain});
      return;
    }
    left_out_++;
    // Remembered, so that the number is one of pairs, for a while.
    if (listed_ < 4 * most_ + 16) {
      listed.push_back({variable, kLeftOut});
      listed_++;
    } else if (listed.empty()) {
      by_sites_.erase(sites_of(first, second));
    }
  }

  const trace::EventStream& stream_;
  size_t most_;
  std::vector<PairFinding> found_;
  std::unordered_map<Sites, std::vector<Listed>, Hash> by_sites_;
  uint64_t listed_ = 0;
  uint64_t left_out_ = 0;
};

}  // namespace heddle::detect
