// PairTable: pairs of operations, each pair of sites once for each variable and two calling contexts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
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
    const Listed which{variable, contexts_of(first, second), found_.size()};
    auto at = std::ranges::find_if(listed, [&](const Listed& known) { return known.is(which); });
    if (at == listed.end()) {
      if (is_worth_listing(listed, variable)) return list(listed, which, object, first, second, certain);
      at = std::ranges::find(listed, variable, &Listed::variable);
      if (at == listed.end()) at = std::prev(listed.end());
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
  // Suppressions can be about callers, so one pair of contexts does not stand for all.
  static constexpr size_t kMostContexts = 16;

  struct Listed {
    uint64_t variable;
    std::pair<uint32_t, uint32_t> contexts;
    size_t number;  // of the finding

    bool is(const Listed& other) const { return variable == other.variable && contexts == other.contexts; }
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

  static std::pair<uint32_t, uint32_t> contexts_of(const Side& first, const Side& second) {
    return half(first) <= half(second) ? std::pair{first.context, second.context}
                                       : std::pair{second.context, first.context};
  }

  static bool is_worth_listing(const std::vector<Listed>& listed, uint64_t variable) {
    size_t contexts = 0;
    std::set<uint64_t> variables;
    for (const Listed& known : listed) {
      variables.insert(known.variable);
      if (known.variable == variable) ++contexts;
    }
    return contexts == 0 ? variables.size() < trace::kMostVariablesAtSites : contexts < kMostContexts;
  }

  void list(std::vector<Listed>& listed, const Listed& which, uint32_t object, const Side& first,
            const Side& second, bool certain) {
    if (found_.size() < most_) {
      listed.push_back(which);
      listed_++;
      found_.push_back({first, second, object, 1, certain});
      return;
    }
    left_out_++;
    // Remembered, so that the number is one of pairs, for a while.
    if (listed_ < 4 * most_ + 16) {
      listed.push_back({which.variable, which.contexts, kLeftOut});
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
