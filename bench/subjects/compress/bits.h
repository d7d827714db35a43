// Bit-wise input and output over a byte vector, least significant bit first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace compress {

using Bytes = std::vector<uint8_t>;

class BitWriter {
 public:
  explicit BitWriter(Bytes& out) : out_(out) {}

  void put(uint32_t value, int width) {
    pending_ |= static_cast<uint64_t>(value) << filled_;
    filled_ += width;
    while (filled_ >= 8) {
      out_.push_back(static_cast<uint8_t>(pending_));
      pending_ >>= 8;
      filled_ -= 8;
    }
  }

  void flush() {
    if (filled_ > 0) out_.push_back(static_cast<uint8_t>(pending_));
    pending_ = 0;
    filled_ = 0;
  }

 private:
  Bytes& out_;
  uint64_t pending_ = 0;
  int filled_ = 0;
};

class BitReader {
 public:
  explicit BitReader(const Bytes& in) : in_(in) {}

  uint32_t get(int width) {
    while (filled_ < width) {
      if (next_ == in_.size()) throw std::runtime_error("compressed block ends early");
      pending_ |= static_cast<uint64_t>(in_[next_++]) << filled_;
      filled_ += 8;
    }
    uint32_t value = static_cast<uint32_t>(pending_ & ((uint64_t{1} << width) - 1));
    pending_ >>= width;
    filled_ -= width;
    return value;
  }

 private:
  const Bytes& in_;
  size_t next_ = 0;
  uint64_t pending_ = 0;
  int filled_ = 0;
};

}  // namespace compress
