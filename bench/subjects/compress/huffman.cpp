#include "huffman.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace compress {
namespace {

// Depth of every leaf of the Huffman tree; the longest is returned.
int tree_depths(const std::vector<uint32_t>& frequencies, std::vector<uint8_t>& lengths) {
  using Entry = std::pair<uint64_t, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap;
  std::vector<int> parent(frequencies.size(), -1);
  for (size_t i = 0; i < frequencies.size(); ++i) {
    if (frequencies[i] > 0) heap.emplace(frequencies[i], static_cast<int>(i));
  }
  if (heap.size() == 1) {
    lengths[heap.top().second] = 1;
    return 1;
  }
  while (heap.size() > 1) {
    auto [weight_a, a] = heap.top();
    heap.pop();
    auto [weight_b, b] = heap.top();
    heap.pop();
    parent[a] = parent[b] = static_cast<int>(parent.size());
    heap.emplace(weight_a + weight_b, static_cast<int>(parent.size()));
    parent.push_back(-1);
  }
  int longest = 0;
  for (size_t i = 0; i < frequencies.size(); ++i) {
    if (frequencies[i] == 0) continue;
    int depth = 0;
    for (int node = parent[i]; node != -1; node = parent[node]) ++depth;
    lengths[i] = static_cast<uint8_t>(std::min(depth, 255));
    longest = std::max(longest, depth);
  }
  return longest;
}

uint16_t reversed(uint16_t code, int width) {
  uint16_t result = 0;
  for (int i = 0; i < width; ++i) result = static_cast<uint16_t>(result << 1 | (code >> i & 1));
  return result;
}

}  // namespace

std::vector<uint8_t> code_lengths(std::vector<uint32_t> frequencies) {
  std::vector<uint8_t> lengths(frequencies.size(), 0);
  // Flattening the frequencies until the tree is shallow enough costs a little compression and no cleverness.
  while (tree_depths(frequencies, lengths) > kMaxCodeBits) {
    for (uint32_t& frequency : frequencies) frequency = (frequency + 1) / 2;
  }
  return lengths;
}

Encoder::Encoder(const std::vector<uint8_t>& lengths) : lengths_(lengths), codes_(lengths.size(), 0) {
  uint16_t code = 0;
  for (int width = 1; width <= kMaxCodeBits; ++width) {
    for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] == width) codes_[symbol] = reversed(code++, width);
    }
    code = static_cast<uint16_t>(code << 1);
  }
}

Decoder::Decoder(const std::vector<uint8_t>& lengths) {
  for (int width = 1; width <= kMaxCodeBits; ++width) {
    for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
      if (lengths[symbol] != width) continue;
      ++count_[width];
      symbols_.push_back(static_cast<uint16_t>(symbol));
    }
  }
}

uint32_t Decoder::get(BitReader& in) const {
  int code = 0, first = 0, index = 0;
  for (int width = 1; width <= kMaxCodeBits; ++width) {
    code |= static_cast<int>(in.get(1));
    int count = count_[width];
    if (code - count < first) return symbols_[index + (code - first)];
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  throw std::runtime_error("compressed block holds an invalid code");
}

}  // namespace compress
