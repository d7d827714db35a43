#include "nibble_codec.h"

namespace codec {

namespace {

std::uint8_t substitute(const std::array<std::uint8_t, 16>& table, std::uint8_t byte) {
  return static_cast<std::uint8_t>(table[byte >> 4] << 4 | table[byte & 15]);
}

}  // namespace

NibbleCodec::NibbleCodec(std::uint32_t key) : key_(key) {}

std::uint8_t NibbleCodec::encode(std::uint8_t byte) {
  count_encoded(1);
  return substitute(tables().forward, byte);
}

std::uint8_t NibbleCodec::decode(std::uint8_t byte) {
  count_decoded(1);
  return substitute(tables().backward, byte);
}

std::string NibbleCodec::encode(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += static_cast<char>(substitute(tables().forward, static_cast<std::uint8_t>(c)));
  }
  count_encoded(text.size());
  return result;
}

std::string NibbleCodec::decode(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += static_cast<char>(substitute(tables().backward, static_cast<std::uint8_t>(c)));
  }
  count_decoded(text.size());
  return result;
}

Statistics NibbleCodec::statistics() const {
  const std::lock_guard lock(statistics_mutex_);
  return statistics_;
}

std::size_t NibbleCodec::bytes_coded() const {
  const std::lock_guard lock(statistics_mutex_);
  return statistics_.encoded + statistics_.decoded;
}

const NibbleCodec::Tables& NibbleCodec::tables() {
  const std::lock_guard lock(tables_mutex_);
  if (!tables_) {
    tables_ = std::make_unique<Tables>();
    fill(*tables_);
  }
  return *tables_;
}

// An odd factor permutes the numbers below 16.
void NibbleCodec::fill(Tables& tables) const {
  const std::uint32_t factor = key_ | 1;
  for (std::uint32_t nibble = 0; nibble < 16; ++nibble) {
    const auto code = static_cast<std::uint8_t>((nibble * factor + (key_ >> 4)) & 15);
    tables.forward[nibble] = code;
    tables.backward[code] = static_cast<std::uint8_t>(nibble);
  }
}

void NibbleCodec::count_encoded(std::size_t bytes) {
  const std::lock_guard lock(statistics_mutex_);
  statistics_.encoded += bytes;
  ++statistics_.calls;
}

void NibbleCodec::count_decoded(std::size_t bytes) {
  const std::lock_guard lock(statistics_mutex_);
  statistics_.decoded += bytes;
  ++statistics_.calls;
}

}  // namespace codec
