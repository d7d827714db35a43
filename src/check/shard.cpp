#include "check/shard.h"

#include <charconv>

#include <fmt/format.h>

#include "trace/hash.h"

namespace heddle {

bool Shard::has(std::string_view name) const {
  return trace::fnv1a(name) % of == number - 1;
}

Expected<Shard> parse_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto [slash, no_number] = std::from_chars(text.data(), end, shard.number);
  const bool has_slash = no_number == std::errc() && slash != end && *slash == '/';
  if (has_slash) {
    const auto [stop, no_count] = std::from_chars(slash + 1, end, shard.of);
    if (no_count == std::errc() && stop == end && shard.number >= 1 && shard.number <= shard.of) return shard;
  }
  return usage_error(
      fmt::format("'{}' is no shard: write i/n, the part and how many there are, such as 1/4", text));
}

std::string print_shard(const Shard& shard) {
  return fmt::format("{}/{}", shard.number, shard.of);
}

}  // namespace heddle
