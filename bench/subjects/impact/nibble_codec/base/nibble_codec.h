// A keyed substitution of half bytes, for labels that should not be read by accident. Its tables are made
// when they are first needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace codec {

struct Statistics {
  std::size_t encoded = 0;
  std::size_t decoded = 0;
  std::size_t calls = 0;
};

class NibbleCodec {
 public:
  explicit NibbleCodec(std::uint32_t key);

  std::uint8_t encode(std::uint8_t byte);
  std::uint8_t decode(std::uint8_t byte);

  std::string encode(std::string_view text);
  std::string decode(std::string_view text);

  Statistics statistics() const;
  std::size_t bytes_coded() const;

 private:
  struct Tables {
    std::array<std::uint8_t, 16> forward{};
    std::array<std::uint8_t, 16> backward{};
  };

  const Tables& tables();
  void fill(Tables& tables) const;
  void count_encoded(std::size_t bytes);
  void count_decoded(std::size_t bytes);

  const std::uint32_t key_;
  std::mutex tables_mutex_;
  std::unique_ptr<Tables> tables_;
  mutable std::mutex statistics_mutex_;
  Statistics statistics_;
};

}  // namespace codec
