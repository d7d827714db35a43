// The best order-preserving pairing of two sequences under a score.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle {

// By dynamic programming, in the product of the lengths. score(i, k) ≤ 0: may not be paired.
template <class Score>
std::vector<std::pair<uint32_t, uint32_t>> best_pairing(uint32_t first_count, uint32_t second_count,
                                                        Score score) {
  const size_t width = second_count + 1;
  std::vector<int32_t> best((first_count + 1) * width);
  std::vector<int32_t> value(size_t{first_count} * second_count);
  for (uint32_t i = first_count; i-- > 0;) {
    for (uint32_t k = second_count; k-- > 0;) {
      const int32_t here = score(i, k);
      value[i * size_t{second_count} + k] = here;
      int32_t result = std::max(best[(i + 1) * width + k], best[i * width + k + 1]);
      if (here > 0) result = std::max(result, here + best[(i + 1) * width + k + 1]);
      best[i * width + k] = result;
    }
  }
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (uint32_t i = 0, k = 0; i < first_count && k < second_count;) {
    const int32_t here = value[i * size_t{second_count} + k];
    if (here > 0 && best[i * width + k] == here + best[(i + 1) * width + k + 1]) {
      pairs.emplace_back(i++, k++);
    } else if (best[i * width + k] == best[(i + 1) * width + k]) {
      ++i;
    } else {
      ++k;
    }
  }
  return pairs;
}

// Positions of keys that are unique in both, as the longest run that ascends in both: anchors for long
// sequences (patience sorting).
inline std::vector<std::pair<uint32_t, uint32_t>> unique_anchors(const std::vector<uint64_t>& first,
                                                                 const std::vector<uint64_t>& second) {
  struct Seen {
    uint32_t in_first = 0, in_second = 0, position = 0;
  };
  std::unordered_map<uint64_t, Seen> seen;
  for (const uint64_t key : first) ++seen[key].in_first;
  for (uint32_t k = 0; k < second.size(); ++k) {
    Seen& entry = seen[second[k]];
    ++entry.in_second;
    entry.position = k;
  }
  std::vector<std::pair<uint32_t, uint32_t>> candidates;
  for (uint32_t i = 0; i < first.size(); ++i) {
    const Seen& entry = seen[first[i]];
    if (entry.in_first == 1 && entry.in_second == 1) candidates.emplace_back(i, entry.position);
  }
  std::vector<uint32_t> tails;  // candidates that end the best run of each length
  std::vector<uint32_t> previous(candidates.size(), ~0u);
  for (uint32_t c = 0; c < candidates.size(); ++c) {
    const auto place = std::ranges::lower_bound(tails, candidates[c].second, {},
                                                [&](uint32_t tail) { return candidates[tail].second; });
    if (place != tails.begin()) previous[c] = *(place - 1);
    if (place == tails.end()) {
      tails.push_back(c);
    } else {
      *place = c;
    }
  }
  std::vector<std::pair<uint32_t, uint32_t>> anchors;
  for (uint32_t c = tails.empty() ? ~0u : tails.back(); c != ~0u; c = previous[c])
    anchors.push_back(candidates[c]);
  std::ranges::reverse(anchors);
  return anchors;
}

}  // namespace heddle
