// Canonical Huffman codes of at most 15 bits: code lengths from frequencies, then encoder and decoder from
// the lengths alone, which is what a compressed block carries.
#pragma once

#include <cstdint>
#include <vector>

#include "bits.h"

namespace compress {

inline constexpr int kMaxCodeBits = 15;

// One length per symbol; 0 for symbols that never occur.
std::vector<uint8_t> code_lengths(std::vector<uint32_t> frequencies);

class Encoder {
 public:
  explicit Encoder(const std::vector<uint8_t>& lengths);
  void put(BitWriter& out, uint32_t symbol) const { out.put(codes_[symbol], lengths_[symbol]); }

 private:
  std::vector<uint8_t> lengths_;
  std::vector<uint16_t> codes_;  // bit-reversed, since bits are written from the least significant end
};

class Decoder {
 public:
  explicit Decoder(const std::vector<uint8_t>& lengths);
  uint32_t get(BitReader& in) const;

 private:
  uint16_t count_[kMaxCodeBits + 1] = {};  // codes of each length
  std::vector<uint16_t> symbols_;          // in code order
};

}  // namespace compress
