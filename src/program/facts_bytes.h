// Numbers and texts of a facts file: small numbers are short, and every text is stored once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace heddle::program {

class FactsWriter {
 public:
  void number(uint64_t value) {
    while (value >= 0x80) {
      bytes_ += static_cast<char>(value | 0x80);
      value >>= 7;
    }
    bytes_ += static_cast<char>(value);
  }
  void signed_number(int64_t value) {
    number((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63));
  }
  // kNone, which is most frequent, is 0.
  void index(uint32_t value) { number(static_cast<uint32_t>(value + 1)); }
  void text(const std::string& value) {
    auto [known, is_new] = ids_.try_emplace(value, texts_.size());
    if (is_new) texts_.push_back(&known->first);
    number(known->second);
  }
  template <typename T, typename Write>
  void list(const std::vector<T>& values, Write write) {
    number(values.size());
    for (const T& value : values) write(value);
  }
  size_t size() const { return bytes_.size(); }
  void append(const std::string& bytes) { bytes_ += bytes; }
  // Gives away what was written, and keeps the texts.
  std::string take() { return std::exchange(bytes_, {}); }
  const std::vector<const std::string*>& texts() const { return texts_; }

 private:
  std::string bytes_;
  std::unordered_map<std::string, size_t> ids_;
  std::vector<const std::string*> texts_;
};

// Damage makes it fail, once and for all: whoever reads asks at the end.
class FactsReader {
 public:
  explicit FactsReader(std::string_view bytes) : rest_(bytes) {}

  bool failed() const { return failed_; }
  void fail() {
    failed_ = true;
    rest_ = {};
  }
  size_t left() const { return rest_.size(); }

  uint64_t number() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }
  uint32_t small_number() {
    const uint64_t value = number();
    if (value > UINT32_MAX) fail();
    return static_cast<uint32_t>(value);
  }
  int64_t signed_number() {
    const uint64_t value = number();
    return static_cast<int64_t>((value >> 1) ^ (~(value & 1) + 1));
  }
  uint32_t index() { return small_number() - 1; }
  bool flag() { return number() != 0; }
  // An element takes a byte at least: a length that cannot be true is damage, not a reason to allocate.
  size_t count() {
    const uint64_t value = number();
    if (value > rest_.size()) fail();
    return failed_ ? 0 : static_cast<size_t>(value);
  }
  std::string_view bytes(size_t length) {
    if (length > rest_.size()) fail();
    if (failed_) return {};
    std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return taken;
  }
  void read_texts() {
    const size_t amount = count();
    texts_.reserve(amount);
    for (size_t i = 0; i < amount && !failed_; ++i) texts_.push_back(bytes(count()));
  }
  void use_texts_of(const FactsReader& other) { texts_ = other.texts_; }
  std::string text() {
    const uint64_t id = number();
    if (id >= texts_.size()) {
      fail();
      return {};
    }
    return std::string(texts_[id]);
  }
  template <typename T, typename Read>
  void list(std::vector<T>& values, Read read) {
    const size_t amount = count();
    values.reserve(amount);
    for (size_t i = 0; i < amount && !failed_; ++i) values.push_back(read());
  }

 private:
  std::string_view rest_;
  std::vector<std::string_view> texts_;
  bool failed_ = false;
};

}  // namespace heddle::program
